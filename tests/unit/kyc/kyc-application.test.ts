import { describe, expect, it } from "vitest";
import { kycApplicationSchema } from "~/api/contract";
import { ExchangeError } from "~/exchange.server/errors";
import { checkApplication } from "~/exchange.server/kyc/check-application";

const now = new Date("2026-03-01T12:00:00Z");
const valid = kycApplicationSchema.parse({
  first_name: "Ada",
  last_name: "Lovelace",
  date_of_birth: "1990-04-30",
  country: "GB",
  document_type: "passport",
  document_number: "AB 123",
});

function toFieldErrors(change: Partial<typeof valid>): Record<string, string> {
  try {
    checkApplication({ ...valid, ...change }, now);
    return {};
  } catch (error) {
    return error instanceof ExchangeError ? (error.fields ?? {}) : { error: String(error) };
  }
}

describe("a KYC application", () => {
  it.each([
    ["2008-03-01", true],
    ["2008-03-02", false],
    ["2008-02-29", true],
    ["1906-03-01", true],
    ["1906-02-28", false],
    ["2026-03-02", false],
  ])("accepts an applicant born on %s on 2026-03-01: %s", (date_of_birth, isAccepted) => {
    expect(Object.keys(toFieldErrors({ date_of_birth }))).toEqual(isAccepted ? [] : ["date_of_birth"]);
  });

  it("counts the years of an applicant born on 1 March in full on 29 February", () => {
    const today = new Date("2028-02-29T12:00:00Z");
    const born = (date_of_birth: string) => () => checkApplication({ ...valid, date_of_birth }, today);
    expect(born("2010-03-01")).toThrow(ExchangeError);
    expect(born("2010-02-28")).not.toThrow();
  });

  it("accepts only dates that exist", () => {
    expect(toFieldErrors({ date_of_birth: "2004-02-29" })).toEqual({});
    for (const day of ["2003-02-29", "1990-13-01", "1990-00-10", "1990-04-31", "1990-04-00"])
      expect(toFieldErrors({ date_of_birth: day })).toEqual({ date_of_birth: "Enter your date of birth." });
  });

  it("accepts only countries that exist", () => {
    for (const country of ["GB", "DE", "US", "TW", "XK"]) expect(toFieldErrors({ country })).toEqual({});
    for (const country of ["ZZ", "EU", "XX", "QO"])
      expect(Object.keys(toFieldErrors({ country }))).toEqual(["country"]);
  });

  it("accepts names with letters of any script, and refuses names without letters", () => {
    for (const first_name of ["Ægir", "李", "Anne-Marie", "O’Neil"]) expect(toFieldErrors({ first_name })).toEqual({});
    for (const first_name of ["42", "..."]) expect(Object.keys(toFieldErrors({ first_name }))).toEqual(["first_name"]);
  });
});
