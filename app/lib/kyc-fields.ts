/**
 * What the site and the exchange check in a KYC application in addition to its schema, and the messages for each field.
 */

const adultYears = 18;
const oldestYears = 120;

/** What to show beside a field that is invalid or empty. */
export const kycFieldTexts = {
  first_name: "Enter your first name as shown on the document.",
  last_name: "Enter your last name as shown on the document.",
  date_of_birth: "Enter your date of birth.",
  country: "Choose the country that issued the document.",
  document_type: "Choose a document.",
  document_number: "Enter the document number. Use only letters, digits, spaces, - and /.",
} as const;

/**
 * What is wrong with a date of birth, as a sentence; null if it is a real date such as 1990-04-30, of an adult. Ages are
 * counted in UTC, so near a birthday an applicant may have to wait a day.
 */
export function findBirthDateProblem(text: string, now: Date): string | null {
  if (!isDate(text)) return kycFieldTexts.date_of_birth;
  const today = now.toISOString().slice(0, 10);
  if (text > today) return "Enter a date in the past.";
  if (text > yearsBefore(today, adultYears)) return `You must be ${adultYears} or older.`;
  return text < yearsBefore(today, oldestYears) ? "Check the year of birth." : null;
}

/** Whether a date such as 1990-02-28 exists. */
function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().slice(0, 10) === text;
}

/** The same day of an earlier year as text, even if it does not exist: 29 February sorts before 1 March. */
const yearsBefore = (date: string, years: number): string => `${Number(date.slice(0, 4)) - years}${date.slice(4)}`;
