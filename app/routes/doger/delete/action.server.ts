import { z } from "zod";
import { isApiError, toErrorText } from "~/api/errors";
import type { Done, Refused } from "~/lib/form-result";
import { withoutInvisible } from "~/lib/one-line";
import { paths } from "~/lib/paths";
import { requirePasskey } from "~/session/guards.server";
import { requireForm } from "~/session/parse-form.server";
import { redirectTo, toRefusal, whenDone } from "~/session/responses.server";
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

/** The address that the customer types to confirm. */
const typedEmail = z.string().transform((text) => withoutInvisible(text).trim());

const formSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("delete"), email: typedEmail, code: z.string().default("") }),
  // The code goes to the account's own address. Without JavaScript, the form also contains what was typed.
  sendCodeForm.omit({ identifier: true }).extend({ email: typedEmail.optional() }),
  passkeyOptionsForm.omit({ identifier: true }),
  passkeyVerifyForm,
]);

/** Every action of the page. */
export const action = siteAction(async (args): Promise<SignInResult | Done | Response> => {
  const { email } = await requirePasskey(args, { message: true });
  const form = await requireForm(formSchema, args.request);
  const scope = await getScope(args);
  switch (form.intent) {
    case "delete":
      return whenDone(deleteAccount(scope, email, form), () =>
        redirectTo(args, paths.accountDeleted, { "Clear-Site-Data": '"cache"' }),
      );
    case "send-code":
      return requestCode(scope, email, form.email);
    case "passkey-options":
      return startPasskeySignInFor(scope, email);
    case "passkey-verify":
      return whenDone(finishPasskeySignIn(scope, form.credential, "passkey"), () => ({
        kind: "done",
        text: "Confirmed. Now press “Delete my account permanently” again.",
      }));
  }
});

async function requestCode(scope: RequestScope, email: string, typed: string | undefined): Promise<Refused | Done> {
  const result = await sendCode(scope, email, "proof");
  if (result !== "done") return { ...result, values: { ...result.values, email: typed } };
  const text = `You requested a code. Enter it when it arrives at ${email}.`;
  return { kind: "done", text, values: { email: typed } };
}

type TypedForm = { email: string; code: string };

async function deleteAccount(scope: RequestScope, email: string, form: TypedForm): Promise<Refused | "done"> {
  const refused = { kind: "refused", values: { email: form.email } } as const;
  if (form.email.toLowerCase() !== email) {
    return { ...refused, fields: { email: `Enter ${email}, the address of this account.` } };
  }
  const code = form.code.trim() === "" ? "" : readCode(form.code);
  const challenge = scope.getChallenge("proof");
  if (code === null) return refuseCode(form, invalidCodeMessage);
  try {
    if (code === "" || !challenge) await scope.api.deleteAccount();
    else await withNewestChallenge(challenge, (id) => scope.api.deleteAccount({ challenge_id: id, code }));
  } catch (error) {
    if (isApiError(error, 401) && error.code === "code_wrong") {
      return refuseCode(form, toErrorText(error));
    }
    const refusal = toRefusal(error);
    return { ...refused, error: toErrorText(refusal), code: refusal.code };
  }
  await scope.setChallenge("proof", null);
  await scope.clearSession();
  return "done";
}

function refuseCode({ email, code }: TypedForm, message: string): Refused {
  return { kind: "refused", values: { email, code }, fields: { code: message } };
}
