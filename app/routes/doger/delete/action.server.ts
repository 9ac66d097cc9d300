import { z } from "zod";
import { isApiError, toErrorText } from "~/api/errors";
import { withoutInvisible } from "~/lib/one-line";
import { paths } from "~/lib/paths";
import { requirePasskey } from "~/session/guards.server";
import { requireForm } from "~/session/parse-form.server";
import { redirectTo, toRefusal } from "~/session/responses.server";
import { getScope, type RequestScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import { finishPasskeySignIn, sendCode, startPasskeySignInFor, withNewestChallenge } from "~/sign-in/sign-in.server";
import {
  invalidCodeMessage,
  passkeyOptionsForm,
  passkeyVerifyForm,
  readCode,
  sendCodeForm,
} from "~/sign-in/sign-in-forms.server";
import type { SignInResult } from "~/sign-in/sign-in-result";

export type DeletionResult = SignInResult & {
  /** Whether the customer must first confirm with a passkey or a code (T73). */
  confirm?: true;
  done?: string;
};

const formSchema = z.discriminatedUnion("intent", [
  z.object({
    intent: z.literal("delete"),
    email: z.string().transform((text) => withoutInvisible(text).trim()),
    code: z.string().default(""),
  }),
  // The address is the account's own.
  sendCodeForm.omit({ identifier: true }),
  passkeyOptionsForm.omit({ identifier: true }),
  passkeyVerifyForm,
]);
type DeletionForm = z.output<typeof formSchema>;

/** Every action of the page. */
export const action = siteAction(async (args): Promise<DeletionResult | Response> => {
  const { email } = await requirePasskey(args, { message: true });
  const form = await requireForm(formSchema, args.request);
  const result = await runIntent(await getScope(args), email, form);
  return result ?? redirectTo(args, paths.accountDeleted, { "Clear-Site-Data": '"cache"' });
});

/** Null once the account is deleted. */
async function runIntent(scope: RequestScope, email: string, form: DeletionForm): Promise<DeletionResult | null> {
  switch (form.intent) {
    case "delete":
      return deleteAccount(scope, email, form);
    case "send-code":
      return (
        (await sendCode(scope, email, "proof")) ?? {
          done: `You requested a code. Enter it when it arrives at ${email}.`,
        }
      );
    case "passkey-options":
      return startPasskeySignInFor(scope, email);
    case "passkey-verify":
      return (
        (await finishPasskeySignIn(scope, form.credential, "passkey")) ?? {
          done: "Confirmed. Now press “Delete my account permanently” again.",
        }
      );
  }
}

async function deleteAccount(
  scope: RequestScope,
  email: string,
  form: { email: string; code: string },
): Promise<DeletionResult | null> {
  const identifier = form.email;
  if (identifier.toLowerCase() !== email) {
    return { identifier, fields: { email: `Enter ${email}, the address of this account.` } };
  }
  const code = form.code.trim() === "" ? "" : readCode(form.code);
  const challenge = scope.getChallenge("proof");
  if (code === null) return { identifier, code: form.code, fields: { code: invalidCodeMessage } };
  try {
    if (code === "" || !challenge) await scope.api.deleteAccount();
    else await withNewestChallenge(challenge, (id) => scope.api.deleteAccount({ challenge_id: id, code }));
  } catch (error) {
    if (isApiError(error, 401) && error.code === "code_wrong") {
      return { identifier, code: form.code, fields: { code: "This code is wrong or has expired." } };
    }
    const refusal = toRefusal(error);
    if (refusal.code === "passkey_too_old") return { identifier, confirm: true };
    return { identifier, error: toErrorText(refusal) };
  }
  await scope.setChallenge("proof", null);
  await scope.forgetSession();
  return null;
}
