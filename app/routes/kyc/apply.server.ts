import { z } from "zod";
import { type KycApplication, kycApplicationSchema } from "~/api/contract";
import { toErrorText } from "~/api/errors";
import { consentFields, outdatedText, recordShownVersions } from "~/content/consent.server";
import type { RefusedForm, SubmittedForm } from "~/session/parse-form.server";
import { toRefusal } from "~/session/responses.server";
import type { RequestScope } from "~/session/scope.server";
import type { SignInResult } from "~/sign-in/sign-in-result";

export type KycFormResult = SignInResult & {
  /** The submitted application, to fill in the form again. */
  values?: Record<string, string>;
};

type FieldName = keyof KycApplication;

const fieldMessages: Record<FieldName, string> = {
  first_name: "Enter your first name as shown on the document.",
  last_name: "Enter your last name as shown on the document.",
  date_of_birth: "Enter your date of birth.",
  country: "Choose the country that issued the document.",
  document_type: "Choose a document.",
  document_number: "Enter the document number. Use only letters, digits, spaces, - and /.",
};
const tooYoungMessage = "You must be 18 or older.";

const trimmed = z.string().trim();
const { shape } = kycApplicationSchema;

export const applicationFormSchema = z.object({
  intent: z.literal("apply"),
  first_name: trimmed.pipe(shape.first_name),
  last_name: trimmed.pipe(shape.last_name),
  date_of_birth: trimmed.pipe(shape.date_of_birth).superRefine((text, { addIssue }) => {
    const age = toAge(text, new Date());
    if (age === null || age > 120) addIssue({ code: "custom", message: fieldMessages.date_of_birth });
    else if (age < 18) addIssue({ code: "custom", message: tooYoungMessage });
  }),
  country: trimmed.pipe(shape.country),
  document_type: trimmed.pipe(shape.document_type),
  document_number: trimmed.pipe(shape.document_number),
  ...consentFields,
});

/** Sends the application to the exchange. Null if it was accepted. */
export async function apply(
  scope: RequestScope,
  { intent: _, terms, privacy, ...application }: z.output<typeof applicationFormSchema>,
): Promise<KycFormResult | null> {
  try {
    if ((await recordShownVersions(scope.api, { terms, privacy })) === "outdated") {
      return {
        values: application,
        error: `${outdatedText} Please check them below, and send your details again.`,
      };
    }
    await scope.api.submitKyc(application);
    scope.invalidateUser();
    return null;
  } catch (error) {
    const refusal = toRefusal(error);
    return { values: application, fields: refusal.fields, error: toErrorText(refusal) };
  }
}

export function toApplicationErrors(form: RefusedForm): KycFormResult {
  const fields: Record<string, string> = {};
  for (const [name, message] of Object.entries(fieldMessages)) {
    if (form.fields[name]) fields[name] = form.fields[name] === tooYoungMessage ? tooYoungMessage : message;
  }
  return { values: toApplicationValues(form.values), fields };
}

function toApplicationValues(submitted: SubmittedForm): Record<string, string> {
  return Object.fromEntries(Object.keys(fieldMessages).map((name) => [name, (submitted[name] ?? "").trim()]));
}

/** Age in full years, or null if `text` isn't a real date such as 1990-04-30. */
function toAge(text: string, now: Date): number | null {
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) return null;
  const years = now.getUTCFullYear() - date.getUTCFullYear();
  const hadBirthday = now.toISOString().slice(5, 10) >= text.slice(5);
  return hadBirthday ? years : years - 1;
}
