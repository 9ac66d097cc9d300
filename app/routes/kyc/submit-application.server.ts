import { z } from "zod";
import { type KycApplication, kycApplicationSchema } from "~/api/contract";
import { toErrorText } from "~/api/errors";
import { consentFields, outdatedText, recordShownVersions } from "~/content/consent.server";
import type { Refused } from "~/lib/form-result";
import { findBirthDateProblem, kycFieldTexts } from "~/lib/kyc-fields";
import type { RefusedForm, SubmittedForm } from "~/session/parse-form.server";
import { toRefusal } from "~/session/responses.server";
import type { RequestScope } from "~/session/scope.server";

const fieldTexts: Record<keyof KycApplication, string> = kycFieldTexts;

const trimmed = z.string().trim();
const { shape } = kycApplicationSchema;

export const applicationFormSchema = z.object({
  intent: z.literal("apply"),
  first_name: trimmed.pipe(shape.first_name),
  last_name: trimmed.pipe(shape.last_name),
  date_of_birth: z
    .string({ required_error: fieldTexts.date_of_birth })
    .trim()
    .superRefine((text, { addIssue }) => {
      const message = findBirthDateProblem(text, new Date());
      if (message !== null) addIssue({ code: "custom", message });
    }),
  country: trimmed.pipe(shape.country),
  document_type: trimmed.pipe(shape.document_type),
  document_number: trimmed.pipe(shape.document_number),
  ...consentFields,
});

/** Sends the application to the exchange. */
export async function submitApplication(
  scope: RequestScope,
  { intent: _, terms, privacy, ...application }: z.output<typeof applicationFormSchema>,
): Promise<Refused | "done"> {
  try {
    if ((await recordShownVersions(scope.api, { terms, privacy })) === "outdated") {
      return {
        kind: "refused",
        values: application,
        error: `${outdatedText} Please check them below, and send your details again.`,
      };
    }
    await scope.api.submitKyc(application);
    scope.invalidateUser();
    return "done";
  } catch (error) {
    const refusal = toRefusal(error);
    return { kind: "refused", values: application, fields: refusal.fields, error: toErrorText(refusal) };
  }
}

export function toApplicationErrors(form: RefusedForm): Refused {
  const fields: Record<string, string> = {};
  for (const [name, message] of Object.entries(fieldTexts)) {
    const problem = form.fields[name];
    if (problem !== undefined) fields[name] = name === "date_of_birth" ? problem : message;
  }
  return { kind: "refused", values: toApplicationValues(form.values), fields };
}

function toApplicationValues(submitted: SubmittedForm): Record<string, string> {
  return Object.fromEntries(Object.keys(fieldTexts).map((name) => [name, (submitted[name] ?? "").trim()]));
}
