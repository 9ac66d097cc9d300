import { describe, expect, it } from "vitest";
import { kycApplicationSchema } from "../../../app/api/contract";
import { ExchangeError } from "../../../app/exchange.server/errors";
import { checkApplication, parseDay } from "../../../app/exchange.server/kyc/application";

const now = new Date("2026-03-01T12:00:00Z");
const good = kycApplicationSchema.parse({
  first_name: "Ada",
  last_name: "Lovelace",
  date_of_birth: "1990-04-30",
  country: "GB",
  document_type: "passport",
  document_number: "AB 123",
});

function fieldsOf(change: Partial<typeof good>): Record<string, string> {
  try {
    checkApplication({ ...good, ...change }, now);
    return {};
  } catch (error) {
    return error instanceof ExchangeError ? (error.fields ?? {}) : { error: String(error) };
  }
}

describe("what an application must say", () => {
  it.each([
    ["2008-03-01", true],
    ["2008-03-02", false],
    ["2008-02-29", true],
    ["1906-03-01", true],
    ["1906-02-28", false],
    ["2026-03-02", false],
  ])("born %s may apply on 2026-03-01: %s", (date_of_birth, may) => {
    expect(Object.keys(fieldsOf({ date_of_birth }))).toEqual(may ? [] : ["date_of_birth"]);
  });

  it("days are those of the calendar", () => {
    expect(parseDay("2024-02-29")).toEqual(new Date("2024-02-29T00:00:00Z"));
    for (const day of ["2023-02-29", "1990-13-01", "1990-00-10", "1990-04-31", "1990-04-00"])
      expect(parseDay(day)).toBeNull();
  });

  it("countries are those that exist", () => {
    for (const country of ["GB", "DE", "US", "TW", "XK"]) expect(fieldsOf({ country })).toEqual({});
    for (const country of ["ZZ", "EU", "XX", "QO"]) expect(Object.keys(fieldsOf({ country }))).toEqual(["country"]);
  });

  it("names have letters of any script", () => {
    for (const first_name of ["Ægir", "李", "Anne-Marie", "O’Neil"]) expect(fieldsOf({ first_name })).toEqual({});
    for (const first_name of ["42", "..."]) expect(Object.keys(fieldsOf({ first_name }))).toEqual(["first_name"]);
  });
});
