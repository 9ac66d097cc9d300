import * as errorTexts from "../lib/error-catalogue";
import * as contract from "./contract";
import type { Call, Transport } from "./transport";

/** A sign-in response without a required field (V08, V09). The message is from the error catalogue. */
export class SignInResponseError extends Error {
  constructor(text: typeof errorTexts.authServerError | typeof errorTexts.challengeMissing) {
    super(text);
    this.name = "SignInResponseError";
  }
}

/** The calls to sign in, to register a passkey and to sign out. */
export function signInCalls(transport: Transport) {
  const { send } = transport;
  const startSignIn = (json: unknown) => readChallenge(transport, json);
  const readOptions = (call: Call) => readPasskeyOptions(transport, call);
  const readTokens = (call: Call) => readTokensOf(transport, call);

  return {
    /** C04: sends a six-digit code to the e-mail address `identifier`. `deviceToken`: of an earlier sign-in. */
    requestEmailCode: (identifier: string, deviceToken?: string) =>
      startSignIn({
        auth_method: "email",
        credentials: { identifier, ...(deviceToken !== undefined && { device_token: deviceToken }) },
      }),
    /** C05: exchanges the code for tokens. */
    signInByCode: (challengeId: string, code: string) =>
      readTokens({
        method: "POST",
        path: "/api/auth",
        json: { credentials: { challenge_id: challengeId, auth_data: { code } } },
      }),
    /** C06, first step: WebAuthn options for any passkey that the browser offers. */
    startPasskeySignIn: () => startSignIn({ auth_method: "passkey" }),
    /** C06, second step. `assertion` is an AuthenticationResponseJSON. */
    finishPasskeySignIn: (challengeId: string, assertion: Record<string, unknown>) =>
      readTokens({
        method: "POST",
        path: "/api/auth",
        json: { auth_method: "passkey", credentials: { challenge_id: challengeId, auth_data: assertion } },
      }),
    /** C07: exchanges a refresh token for new tokens. */
    refresh: (refreshToken: string) =>
      readTokens({ method: "POST", path: "/api/auth/refresh", json: { refresh_token: refreshToken } }),
    /** C08: WebAuthn options for the passkeys of one account. */
    startPasskeySignInFor: (identifier: string) =>
      readOptions({ method: "POST", path: "/api/auth/passkey/login-options", json: { identifier } }),
    /** C09: WebAuthn options to register a passkey. */
    startRegistration: (identifier: string) =>
      readOptions({ method: "POST", path: "/api/auth/passkey/register", json: { identifier } }),
    /** C10. `attestation` is a RegistrationResponseJSON. */
    finishRegistration: (identifier: string, challengeId: string, attestation: Record<string, unknown>) =>
      readTokens({
        method: "POST",
        path: "/api/auth/passkey/register/verify",
        json: { identifier, challenge_id: challengeId, attestation },
      }),
    /** Ends the session of the access token. */
    async signOut(): Promise<void> {
      await send({ method: "POST", path: "/api/auth/logout", json: {}, isRepeatable: true });
    },
  };
}

/** V09: 202 with `challenge_id` and `challenge`. @throws E07, E08 */
async function readChallenge({ send }: Transport, json: unknown): Promise<contract.Challenge> {
  const response = await send({ method: "POST", path: "/api/auth", json });
  if (response.status !== 202) throw new SignInResponseError(errorTexts.authServerError);
  const parsed = contract.challengeSchema.safeParse(await response.json().catch(() => null));
  if (!parsed.success) throw new SignInResponseError(errorTexts.challengeMissing);
  return parsed.data;
}

/** C08, C09: WebAuthn options and the challenge they belong to. @throws E08 */
async function readPasskeyOptions({ send }: Transport, call: Call): Promise<contract.PasskeyOptions> {
  const parsed = contract.passkeyOptionsSchema.safeParse(await (await send(call)).json().catch(() => null));
  if (!parsed.success) throw new SignInResponseError(errorTexts.challengeMissing);
  return parsed.data;
}

/** V08: at least an access token. @throws E07 */
async function readTokensOf({ send }: Transport, call: Call): Promise<contract.Tokens> {
  const parsed = contract.tokensSchema.safeParse(await (await send(call)).json().catch(() => null));
  if (!parsed.success) throw new SignInResponseError(errorTexts.authServerError);
  return parsed.data;
}
