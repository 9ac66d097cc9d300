import type { KycApplication } from "../../api/contract";
import { isCountryCode } from "../../lib/countries";
import { ExchangeError } from "../errors";

const adultYears = 18;
const oldestYears = 120;

/**
 * Checks what the schema cannot: that the date exists, that the applicant is an adult, and that the
 * country exists. Ages are counted in UTC, so near a birthday an applicant may have to wait a day.
 * @throws invalid, with a message for each field
 */
export function checkApplication(application: KycApplication, now: Date): void {
  const fields: Record<string, string> = {};
  const birthDate = getDate(application.date_of_birth);
  if (!birthDate) fields.date_of_birth = "Enter a date that exists.";
  else if (birthDate > now) fields.date_of_birth = "Enter a date in the past.";
  else if (yearsBefore(now, adultYears) < birthDate) fields.date_of_birth = `You must be ${adultYears} or older.`;
  else if (yearsBefore(now, oldestYears) > birthDate) fields.date_of_birth = "Check the year of birth.";
  if (!isCountryCode(application.country)) fields.country = "Select a country.";
  for (const field of ["first_name", "last_name"] as const) {
    if (!/\p{L}/u.test(application[field])) fields[field] = "Enter the name exactly as on your document.";
  }
  if (Object.keys(fields).length > 0) throw new ExchangeError("invalid", { fields });
}

/** Returns midnight UTC of a date such as 1990-02-28, or null if the date does not exist. */
export function getDate(text: string): Date | null {
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null;
}

function yearsBefore(now: Date, years: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate()));
}
