import { describe, expect, it } from "vitest";
import { formatDateTime } from "~/lib/format-date-time";

describe("a date", () => {
  it.each([
    ["th-TH", "25 พ.ย. 2026"],
    ["fa-IR", "25 نوامبر 2026"],
    ["ar-SA", "25 نوفمبر 2026"],
    ["ur-PK", "25 نومبر، 2026"],
    ["de", "25. Nov. 2026"],
  ])("uses the Gregorian calendar and the digits 0 to 9 in %s", (tag, day) => {
    const shown = formatDateTime("2026-11-25T12:00:00Z", { tag, zone: "UTC", show: "day-and-time" });
    expect(shown).toContain(day);
  });
});
