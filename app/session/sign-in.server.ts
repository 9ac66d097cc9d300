/**
 * Signing in, as /login, /register and /kyc post it: every step answers what the screen shows
 * or null where it succeeded. Error texts are the catalogue's E07–E16, each in its place.
 */
import { SignInAnswerError } from "../api/client";
import { ApiError, isApiError } from "../api/errors";
import { isEmailLike } from "../lib/email";
import { emailSignInError, errorTexts } from "../lib/error-catalogue";
import type { RequestScope } from "./scope.server";
import type { SignInResult } from "./sign-in-result";

export const identifierHint = "Write your e-mail address, such as ada@example.org.";

/** V07: passkey login and registration need an identifier; a code needs somewhere to go. */
export function checkIdentifier(identifier: string): SignInResult | null {
  return isEmailLike(identifier) ? null : { identifier, fields: { identifier: identifierHint } };
}

/** C04. `kind` keeps a proof of one's own address (/kyc) apart from a sign-in. */
export async function sendCode(
  scope: RequestScope,
  identifier: string,
  kind: "email" | "proof" = "email",
): Promise<SignInResult | null> {
  const refused = checkIdentifier(identifier);
  if (refused) return refused;
  try {
    const { challenge_id } = await scope.api.startEmailSignIn(identifier);
    await scope.setChallenge(kind, { challengeId: challenge_id, identifier });
    return null;
  } catch (error) {
    return { identifier, error: toEmailErrorText(error), fields: error instanceof ApiError ? error.fields : {} };
  }
}

/** C05, with the challenge that this browser asked for (T3). */
export async function verifyCode(
  scope: RequestScope,
  code: string,
  kind: "email" | "proof" = "email",
): Promise<SignInResult | null> {
  const challenge = scope.getChallenge(kind);
  if (!challenge) return { error: emailSignInError("this code is too old or was asked for in another browser") };
  const digits = code.replace(/[\s-]/g, "");
  if (!/^[0-9]{6}$/.test(digits)) return { code, fields: { code: "Write the six digits from the e-mail." } };
  try {
    const tokens = await scope.api.completeEmailSignIn(challenge.challengeId, digits);
    // A proof keeps the level of the token that asked for it; the API has the last word on it.
    await scope.signIn(tokens, kind === "proof" && scope.isPasskeyAuthenticated);
    return null;
  } catch (error) {
    return { code, error: toEmailErrorText(error) };
  }
}

/** C08: options for a known identifier. */
export async function startPasskeySignIn(scope: RequestScope, identifier: string): Promise<SignInResult> {
  const refused = checkIdentifier(identifier);
  if (refused) return refused;
  try {
    const { challenge_id, options } = await scope.api.getPasskeyLoginOptions(identifier);
    await scope.setChallenge("passkey", { challengeId: challenge_id, identifier });
    return { options };
  } catch (error) {
    return { identifier, ...(await toPasskeyFailure(scope, error, errorTexts.passkeyFailed)) };
  }
}

/** C06, first step: options for whichever passkey the browser suggests. */
export async function startPasskeyAutofill(scope: RequestScope): Promise<SignInResult> {
  try {
    const { challenge_id, challenge } = await scope.api.startPasskeySignIn();
    if (typeof challenge === "string") return { error: errorTexts.challengeMissing };
    await scope.setChallenge("autofill", { challengeId: challenge_id, identifier: "" });
    return { options: challenge };
  } catch (error) {
    return toPasskeyFailure(scope, error, errorTexts.passkeyFailed);
  }
}

/** C06, second step; an answer to C08's options goes the same way. */
export async function finishPasskeySignIn(
  scope: RequestScope,
  credential: string,
  kind: "passkey" | "autofill",
): Promise<SignInResult | null> {
  const challenge = scope.getChallenge(kind);
  const assertion = parseCredential(credential);
  if (!challenge || !assertion) return { error: errorTexts.passkeyCompletionFailed };
  try {
    await scope.signIn(await scope.api.completePasskeySignIn(challenge.challengeId, assertion), true);
    return null;
  } catch (error) {
    return toPasskeyFailure(scope, error, errorTexts.passkeyCompletionFailed);
  }
}

/** C09. For an account that exists its own token stands in X-Auth-Token. */
export async function startRegistration(scope: RequestScope, identifier: string): Promise<SignInResult> {
  const refused = checkIdentifier(identifier);
  if (refused) return refused;
  try {
    const { challenge_id, options } = await scope.api.startPasskeyRegistration(identifier);
    await scope.setChallenge("registration", { challengeId: challenge_id, identifier });
    return { options };
  } catch (error) {
    const known = isApiError(error, 401);
    return {
      identifier,
      error: error instanceof SignInAnswerError ? error.message : errorTexts.registrationStartFailed,
      hint: known
        ? "This address has an account already. Sign in with its passkey, or with a code sent to it, and add another passkey then."
        : readMessage(error),
      ...(isApiError(error) && { refusal: error.code }),
      clearStoredPasskey: true,
    };
  }
}

/** C10. Without a token in the answer the passkey is there and nobody is signed in (E16). */
export async function finishRegistration(scope: RequestScope, credential: string): Promise<SignInResult | null> {
  const challenge = scope.getChallenge("registration");
  const attestation = parseCredential(credential);
  const failed = { error: errorTexts.registrationFailed as string, clearStoredPasskey: true };
  if (!challenge || !attestation) return failed;
  try {
    const { challengeId, identifier } = challenge;
    await scope.signIn(await scope.api.completePasskeyRegistration(identifier, challengeId, attestation), true);
    return null;
  } catch (error) {
    if (error instanceof SignInAnswerError) return { ...failed, error: errorTexts.registerAndLoginFailed };
    return { ...failed, hint: readMessage(error), ...(isApiError(error) && { refusal: error.code }) };
  }
}

/** E07, E08 by what was missing, E10 with the server's words, E09 where there are none. */
function toEmailErrorText(error: unknown): string {
  if (error instanceof SignInAnswerError) return error.message;
  if (error instanceof ApiError && error.detailMessage) return emailSignInError(error.detailMessage);
  return errorTexts.authGeneric;
}

/** E11: a 401 logs out and clears the stored passkey; else E07, E08 or the step's own text. */
async function toPasskeyFailure(scope: RequestScope, error: unknown, text: string): Promise<SignInResult> {
  if (isApiError(error, 401)) {
    await scope.signOut();
    return { error: errorTexts.noPasskeys, clearStoredPasskey: true };
  }
  if (error instanceof SignInAnswerError) return { error: error.message };
  return { error: text, hint: readMessage(error) };
}

function readMessage(error: unknown): string | undefined {
  return error instanceof ApiError ? (error.detailMessage ?? undefined) : undefined;
}

function parseCredential(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && "id" in parsed ? { ...parsed } : null;
  } catch {
    return null;
  }
}
