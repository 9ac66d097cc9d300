import { ApiError, isApiError } from "~/api/errors";
import { toOneLine } from "~/lib/one-line";
import type { RequestScope } from "~/session/scope.server";
import {
  finishPasskeySignIn,
  finishRegistration,
  startPasskeySignIn,
  startRegistration,
} from "~/session/sign-in.server";
import type { SignInResult } from "~/session/sign-in-result";

/** What an action on this page hands back to it. */
export type TallyResult = SignInResult & {
  about: "passkeys" | "sessions";
  /** What was done, in words. */
  done?: string;
  /** The exchange wants the passkey once more before it does this (T32). */
  confirm?: true;
};

type Fields = Record<string, string>;

/** One branch an intent; null where the intent is none of ours. */
export async function act(scope: RequestScope, email: string, form: Fields): Promise<TallyResult | null> {
  const { intent, id = "" } = form;
  switch (intent) {
    case "rename-passkey":
      return renamePasskey(scope, id, toOneLine(form.name ?? ""));
    case "remove-passkey":
      return tell("passkeys", "The passkey is removed. What it had opened elsewhere is signed out.", () =>
        scope.api.removePasskey(id),
      );
    case "end-session":
      return tell("sessions", "That device is signed out.", () => scope.api.endSession(id));
    case "end-other-sessions":
      return tell("sessions", "All other devices are signed out.", () => scope.api.endOtherSessions());
    case "registration-options":
      return { about: "passkeys", ...(await startRegistration(scope, email)) };
    case "registration-verify":
      return signingInAnew("The passkey is added.", await finishRegistration(scope, form.credential ?? ""));
    case "passkey-options":
      return { about: "passkeys", ...(await startPasskeySignIn(scope, email)) };
    case "passkey-verify":
      return signingInAnew(
        "Confirmed. Now do it once more.",
        await finishPasskeySignIn(scope, form.credential ?? "", "passkey"),
      );
    default:
      return null;
  }
}

async function renamePasskey(scope: RequestScope, id: string, name: string): Promise<TallyResult> {
  if (name === "" || name.length > 60) {
    return {
      about: "passkeys",
      error: "The name was not changed.",
      fields: { [id]: "A passkey's name has 1 to 60 letters." },
    };
  }
  return tell("passkeys", `The passkey is called “${name}” now.`, () => scope.api.renamePasskey(id, name));
}

/** What is gone already was ended in another tab: it is done all the same. */
async function tell(about: TallyResult["about"], done: string, call: () => Promise<unknown>): Promise<TallyResult> {
  try {
    await call();
    return { about, done };
  } catch (error) {
    if (isApiError(error, 404)) return { about, done };
    if (!(error instanceof ApiError) || error.status === 401) throw error;
    return { about, error: error.message, ...(error.code === "passkey_too_old" && { confirm: true }) };
  }
}

/** A ceremony signs in anew; the session that asked for it is ended by that. */
function signingInAnew(done: string, failure: SignInResult | null): TallyResult {
  return failure ? { about: "passkeys", ...failure } : { about: "passkeys", done };
}
