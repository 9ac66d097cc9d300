import { describe, expect, it } from "vitest";
import { toDay, toDayStart, toNextDay } from "~/lib/days";

describe("toDay", () => {
  it.each([
    [null, "2026-01-31T23:59:59.999Z", "2026-01-31"],
    ["UTC", "2026-01-31T00:00:00.000Z", "2026-01-31"],
    ["Europe/Zurich", "2026-01-31T22:59:59.999Z", "2026-01-31"],
    ["Europe/Zurich", "2026-01-31T23:00:00.000Z", "2026-02-01"],
    ["America/Los_Angeles", "2026-01-01T07:59:59.999Z", "2025-12-31"],
    ["Pacific/Kiritimati", "2026-12-31T10:00:00.000Z", "2027-01-01"],
  ])("in %s, %s is on %s", (zone, at, day) => expect(toDay(new Date(at), zone)).toBe(day));
});

describe("toDayStart", () => {
  it.each([
    [null, "2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["UTC", "2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["Europe/Zurich", "2026-01-31", "2026-01-30T23:00:00.000Z"],
    ["Europe/Zurich", "2026-07-01", "2026-06-30T22:00:00.000Z"],
    ["America/Los_Angeles", "2026-01-31", "2026-01-31T08:00:00.000Z"],
    ["Pacific/Kiritimati", "2026-01-31", "2026-01-30T10:00:00.000Z"],
  ])("in %s, %s starts at %s", (zone, day, start) => expect(toDayStart(day, zone).toISOString()).toBe(start));

  it("is right on the days of a clock change, before and after it", () => {
    expect(toDayStart("2026-03-29", "Europe/Zurich").toISOString()).toBe("2026-03-28T23:00:00.000Z");
    expect(toDayStart("2026-03-30", "Europe/Zurich").toISOString()).toBe("2026-03-29T22:00:00.000Z");
    expect(toDayStart("2026-10-25", "Europe/Zurich").toISOString()).toBe("2026-10-24T22:00:00.000Z");
    expect(toDayStart("2026-10-26", "Europe/Zurich").toISOString()).toBe("2026-10-25T23:00:00.000Z");
    expect(toDayStart("2026-03-08", "America/New_York").toISOString()).toBe("2026-03-08T05:00:00.000Z");
    expect(toDayStart("2026-03-09", "America/New_York").toISOString()).toBe("2026-03-09T04:00:00.000Z");
  });

  it.each([
    ["Asia/Beirut", "2026-03-29", "2026-03-28T22:00:00.000Z"],
    ["Atlantic/Azores", "2026-03-29", "2026-03-29T01:00:00.000Z"],
    ["America/Havana", "2026-03-08", "2026-03-08T05:00:00.000Z"],
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z"],
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"],
  ])("in %s, where clocks skip midnight, %s starts at %s", (zone, day, start) =>
    expect(toDayStart(day, zone).toISOString()).toBe(start),
  );

  it.each([
    ["America/Havana", "2026-11-01", "2026-11-01T04:00:00.000Z"],
    ["America/Santiago", "2026-04-05", "2026-04-05T04:00:00.000Z"],
  ])("in %s, where an hour is repeated around midnight, %s starts at %s", (zone, day, start) =>
    expect(toDayStart(day, zone).toISOString()).toBe(start),
  );
});

describe("toNextDay", () => {
  it.each([
    ["2026-01-31", "2026-02-01"],
    ["2026-12-31", "2027-01-01"],
    ["2028-02-28", "2028-02-29"],
  ])("after %s comes %s", (day, next) => expect(toNextDay(day)).toBe(next));
});
