import type { KycApplication } from "../../api/contract";
import { ExchangeError } from "../errors";

const adultYears = 18;
const oldestYears = 120;

/**
 * What the schema cannot see: a date that exists, an adult, a country that exists. The
 * country's day is unknown, so that whoever turns 18 anywhere on earth tomorrow waits a day.
 * @throws invalid, with a word for each field
 */
export function checkApplication(application: KycApplication, now: Date): void {
  const fields: Record<string, string> = {};
  const born = parseDay(application.date_of_birth);
  if (!born) fields.date_of_birth = "This day is not in the calendar.";
  else if (born > now) fields.date_of_birth = "This day is still to come.";
  else if (yearsBefore(now, adultYears) < born) fields.date_of_birth = `You must be ${adultYears} or older.`;
  else if (yearsBefore(now, oldestYears) > born) fields.date_of_birth = "Check the year.";
  if (!isCountry(application.country)) fields.country = "Choose a country.";
  for (const field of ["first_name", "last_name"] as const) {
    if (!/\p{L}/u.test(application[field])) fields[field] = "Write the name as it stands in the document.";
  }
  if (Object.keys(fields).length > 0) throw new ExchangeError("invalid", { fields });
}

/** A day of the calendar at midnight UTC, else null: 1990-02-30 is none. */
export function parseDay(text: string): Date | null {
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? day : null;
}

function yearsBefore(now: Date, years: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate()));
}

/** Codes that CLDR names although they are no countries. */
const notCountries = new Set(["AC", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "ZZ"]);

function isCountry(code: string): boolean {
  if (notCountries.has(code)) return false;
  return new Intl.DisplayNames(["en"], { type: "region", fallback: "none" }).of(code) !== undefined;
}
