import type { KycApplication } from "../../api/contract";
import { isCountryCode } from "../../lib/countries";
import { findBirthDateProblem, kycFieldTexts } from "../../lib/kyc-fields";
import { ExchangeError } from "../errors";

/**
 * Checks what the schema cannot: that the date exists, that the applicant is an adult, that the country exists, and that
 * the names have a letter.
 * @throws invalid, with a message for each field
 */
export function checkApplication(application: KycApplication, now: Date): void {
  const fields: Record<string, string> = {};
  const problem = findBirthDateProblem(application.date_of_birth, now);
  if (problem !== null) fields.date_of_birth = problem;
  if (!isCountryCode(application.country)) fields.country = kycFieldTexts.country;
  for (const field of ["first_name", "last_name"] as const) {
    if (!/\p{L}/u.test(application[field])) fields[field] = kycFieldTexts[field];
  }
  if (Object.keys(fields).length > 0) throw new ExchangeError("invalid", { fields });
}
