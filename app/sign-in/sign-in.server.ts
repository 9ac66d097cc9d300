/**
 * The steps of signing in, for /login, /register, /kyc, /doger and /doger/delete. A step that completes something
 * returns "done", a step that starts a ceremony returns WebAuthn options, and a step that fails returns
 * what the screen shows: one of the error catalogue's E07–E16.
 */

import { ApiError, isApiError } from "~/api/errors";
import { SignInResponseError } from "~/api/sign-in-calls";
import { getConfig } from "~/config/config.server";
import { invalidEmailMessage, isEmailLike } from "~/lib/email";
import * as errorTexts from "~/lib/error-catalogue";
import { joinSentences } from "~/lib/join-sentences";
import type { PendingChallenge } from "~/session/cookies.server";
import type { RequestScope } from "~/session/scope.server";
import { invalidCodeMessage, readCode } from "./sign-in-forms.server";
import type { SignInRefused, SignInResult } from "./sign-in-result";

/** V07: an e-mail address is required. The refusal if this is not one. */
function refuseIdentifier(identifier: string): SignInRefused | undefined {
  if (isEmailLike(identifier)) return undefined;
  return { kind: "refused", values: { identifier }, fields: { identifier: invalidEmailMessage } };
}

/** How many earlier codes, in addition to the last one, may be entered. */
const maxEarlierCodes = 6;

/** C04: e-mails a code. `proof` proves the address of the signed-in account on /kyc. */
export async function sendCode(
  scope: RequestScope,
  identifier: string,
  kind: "email" | "proof" = "email",
): Promise<SignInRefused | "done"> {
  const refused = refuseIdentifier(identifier);
  if (refused) return refused;
  try {
    const { challenge_id } = await scope.api.requestEmailCode(identifier, await scope.getDeviceToken());
    const last = scope.getChallenge(kind);
    const again =
      last?.identifier.toLowerCase() === identifier.toLowerCase()
        ? {
            resent: (last.resent ?? 0) + 1,
            earlier: [last.challengeId, ...(last.earlier ?? [])].slice(0, maxEarlierCodes),
          }
        : {};
    await scope.setChallenge(kind, { challengeId: challenge_id, identifier, ...again });
    return "done";
  } catch (error) {
    const fields = error instanceof ApiError ? error.fields : {};
    return { kind: "refused", values: { identifier }, error: toEmailErrorText(error), fields };
  }
}

/**
 * C05: completes the challenge that this browser requested (T3). Over its limit of e-mails, the exchange silently sends
 * nothing (T25), so the visitor may have an earlier code.
 */
export async function verifyCode(
  scope: RequestScope,
  code: string,
  kind: "email" | "proof" = "email",
): Promise<SignInRefused | "done"> {
  const challenge = scope.getChallenge(kind);
  if (!challenge) {
    const error = errorTexts.emailSignInError("this code has expired or was requested in another browser");
    return { kind: "refused", error };
  }
  const digits = readCode(code);
  if (digits === null) return { kind: "refused", values: { code }, fields: { code: invalidCodeMessage } };
  try {
    const tokens = await withNewestChallenge(challenge, (id) => scope.api.signInByCode(id, digits));
    // A proof keeps the level of the session that requested it. The API has the final say.
    await scope.signIn(tokens, kind === "proof" && scope.isPasskeyAuthenticated);
    return "done";
  } catch (error) {
    const hint = isBlocked(error) ? toHint(error) : undefined;
    return { kind: "refused", values: { code }, error: toEmailErrorText(error), hint, code: toCode(error) };
  }
}

/**
 * Tries the code with the newest challenge and, as long as it is wrong, with the next earlier one. Each call counts as
 * a guess (T23), because each has the same chance of guessing a code.
 */
export async function withNewestChallenge<T>(
  { challengeId, earlier: [next, ...others] = [] }: Pick<PendingChallenge, "challengeId" | "earlier">,
  call: (challengeId: string) => Promise<T>,
): Promise<T> {
  try {
    return await call(challengeId);
  } catch (error) {
    if (next === undefined || !isApiError(error) || error.code !== "code_wrong") throw error;
    return withNewestChallenge({ challengeId: next, earlier: others }, call);
  }
}

/** C08: WebAuthn options for the passkeys of one account. */
export async function startPasskeySignInFor(scope: RequestScope, identifier: string): Promise<SignInResult> {
  const refused = refuseIdentifier(identifier);
  if (refused) return refused;
  try {
    const { challenge_id, options } = await scope.api.startPasskeySignInFor(identifier);
    await scope.setChallenge("passkey", { challengeId: challenge_id, identifier });
    return { kind: "options", options };
  } catch (error) {
    return { ...(await toPasskeyFailure(scope, error, errorTexts.passkeyFailed)), values: { identifier } };
  }
}

/** C06, first step: WebAuthn options for any passkey that the browser suggests. */
export async function startPasskeySignIn(scope: RequestScope): Promise<SignInResult> {
  try {
    const { challenge_id, challenge } = await scope.api.startPasskeySignIn();
    if (typeof challenge === "string") return { kind: "refused", error: errorTexts.challengeMissing };
    await scope.setChallenge("autofill", { challengeId: challenge_id, identifier: "" });
    return { kind: "options", options: challenge };
  } catch (error) {
    return toPasskeyFailure(scope, error, errorTexts.passkeyFailed);
  }
}

/** C06, second step, which also completes C08. */
export async function finishPasskeySignIn(
  scope: RequestScope,
  credential: string,
  kind: "passkey" | "autofill",
): Promise<SignInRefused | "done"> {
  const challenge = scope.getChallenge(kind);
  const assertion = parseCredential(credential);
  if (!challenge || !assertion) return { kind: "refused", error: errorTexts.passkeyCompletionFailed };
  try {
    await scope.signIn(await scope.api.finishPasskeySignIn(challenge.challengeId, assertion), true);
    return "done";
  } catch (error) {
    return toPasskeyFailure(scope, error, errorTexts.passkeyCompletionFailed);
  }
}

/** C09: WebAuthn options to register a passkey. An existing account must be signed in. */
export async function startRegistration(scope: RequestScope, identifier: string): Promise<SignInResult> {
  const refused = refuseIdentifier(identifier);
  if (refused) return refused;
  try {
    const { challenge_id, options } = await scope.api.startRegistration(identifier);
    await scope.setChallenge("registration", { challengeId: challenge_id, identifier });
    return { kind: "options", options };
  } catch (error) {
    const accountExists = isApiError(error, 401);
    return {
      kind: "refused",
      values: { identifier },
      error: error instanceof SignInResponseError ? error.message : errorTexts.registrationStartFailed,
      hint: accountExists
        ? "This address already has an account. Sign in with its passkey or with an e-mailed code, then add another passkey."
        : toHint(error),
      code: toCode(error),
      clearStoredPasskey: true,
    };
  }
}

/** C10. A response without a token means that the passkey was registered without signing in (E16). */
export async function finishRegistration(scope: RequestScope, credential: string): Promise<SignInRefused | "done"> {
  const challenge = scope.getChallenge("registration");
  const attestation = parseCredential(credential);
  const failed = { kind: "refused", error: errorTexts.registrationFailed, clearStoredPasskey: true } as const;
  if (!challenge || !attestation) return failed;
  try {
    const { challengeId, identifier } = challenge;
    await scope.signIn(await scope.api.finishRegistration(identifier, challengeId, attestation), true);
    return "done";
  } catch (error) {
    if (error instanceof SignInResponseError) return { ...failed, error: errorTexts.registerAndLoginFailed };
    return { ...failed, hint: toHint(error), code: toCode(error) };
  }
}

/** E07 or E08, depending on what was missing; E10 with the server's message; otherwise E09. */
function toEmailErrorText(error: unknown): string {
  if (error instanceof SignInResponseError) return error.message;
  if (error instanceof ApiError && error.detailMessage) return errorTexts.emailSignInError(error.detailMessage);
  return errorTexts.authGeneric;
}

/**
 * E11: a 401 signs out and clears the stored passkey. If the visitor is signed in with a passkey, only a confirmation
 * has failed. Otherwise E07, E08 or the step's own text.
 */
async function toPasskeyFailure(scope: RequestScope, error: unknown, text: string): Promise<SignInRefused> {
  if (isApiError(error, 401) && !scope.isPasskeyAuthenticated) {
    await scope.signOut();
    return {
      kind: "refused",
      error: errorTexts.noPasskeys,
      hint: toNoPasskeyHint(error),
      code: error.code,
      clearStoredPasskey: true,
    };
  }
  if (error instanceof SignInResponseError) return { kind: "refused", error: error.message };
  return { kind: "refused", error: text, hint: toHint(error) };
}

function toNoPasskeyHint(error: ApiError): string | undefined {
  switch (error.code) {
    case "challenge_invalid":
      return toHint(error);
    case "passkeys_none":
      return "There is no passkey for this address, or it was removed. Check the address. If you have an account, choose “E-mail me a code”. If you are new, create an account.";
    default:
      return "This passkey was removed, or we couldn't verify it. Try another one, or choose “E-mail me a code”.";
  }
}

const toCode = (error: unknown): string | undefined => (isApiError(error) ? error.code : undefined);

const isBlocked = (error: unknown): boolean => isApiError(error) && error.code === "user_blocked";

/** What to do about the error: the server's message, unless the account is blocked. */
function toHint(error: unknown): string | undefined {
  if (!isApiError(error)) return undefined;
  if (!isBlocked(error)) return error.detailMessage ?? undefined;
  return joinSentences(
    "This account can't be used at the moment. If you have already paid for a swap, we complete it or refund it.",
    getConfig().exchange.supportEmail === null ? "" : "To ask why, use Contact at the end of this page.",
  );
}

function parseCredential(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && "id" in parsed ? { ...parsed } : null;
  } catch {
    return null;
  }
}
