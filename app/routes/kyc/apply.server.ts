import { type KycApplication, kycApplicationSchema } from "~/api/contract";
import { ApiError } from "~/api/errors";
import { errorTexts } from "~/lib/error-catalogue";
import type { RequestScope } from "~/session/scope.server";
import type { SignInResult } from "~/session/sign-in-result";

/** Besides what the e-mail step answers: the application as it was typed. */
export type KycFormResult = SignInResult & { values?: Record<string, string> };

const names = [
  "first_name",
  "last_name",
  "date_of_birth",
  "country",
  "document_type",
  "document_number",
] as const satisfies readonly (keyof KycApplication)[];

const words: Record<(typeof names)[number], string> = {
  first_name: "Write your first name as it stands in the document.",
  last_name: "Write your last name as it stands in the document.",
  date_of_birth: "Give your date of birth.",
  country: "Choose the country that issued the document.",
  document_type: "Choose a document.",
  document_number: "Write the document's number: letters, digits, spaces, - and /.",
};

/** Sends an application. Null where it was taken; else what is wrong, with everything that was typed. */
export async function apply(scope: RequestScope, form: Record<string, string>): Promise<KycFormResult | null> {
  const values = Object.fromEntries(names.map((name) => [name, (form[name] ?? "").trim()]));
  const parsed = kycApplicationSchema.safeParse(values);
  const fields: Record<string, string> = {};
  if (!parsed.success) {
    for (const { path } of parsed.error.issues) {
      const name = names.find((known) => known === path[0]);
      if (name) fields[name] = words[name];
    }
  } else {
    const trouble = findBirthTrouble(parsed.data.date_of_birth, new Date());
    if (trouble) fields.date_of_birth = trouble;
  }
  if (!parsed.success || Object.keys(fields).length > 0) return { values, fields };
  try {
    await scope.api.submitKyc(parsed.data);
    scope.forgetAccount();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { values, fields: error.fields, error: error.detailMessage ?? errorTexts.unknown };
  }
}

/** A real day of the calendar, of somebody who lives and is of age. */
function findBirthTrouble(text: string, now: Date): string | null {
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) return words.date_of_birth;
  const age = now.getUTCFullYear() - date.getUTCFullYear();
  const hadBirthday = now.toISOString().slice(5, 10) >= text.slice(5);
  const years = hadBirthday ? age : age - 1;
  if (years < 18) return "You must be 18 or older.";
  return years > 120 ? words.date_of_birth : null;
}
