import {
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import type { CeremonyKind, Credentials } from "./credentials";
import { hasUsedTestPasskey, storeTestPasskeyUse } from "./test-passkey/last-used";

/** Runs a ceremony. Called by `runCeremony` in ceremony.ts, which loads this module on demand. */
export async function runCeremony(
  kind: CeremonyKind,
  options: Record<string, unknown>,
  signal: AbortSignal,
  choice?: boolean,
) {
  const isTest = choice ?? (await isForTestPasskey(options as unknown as PublicKeyCredentialRequestOptionsJSON));
  const credentials = isTest ? (await import("./test-passkey/credentials")).openTestCredentials() : browserPasskeys;
  // The exchange created the options with @simplewebauthn/server, and the browser validates every field.
  const credential = await untilAborted<AuthenticationResponseJSON | RegistrationResponseJSON>(signal, () =>
    kind === "passkey"
      ? credentials.authenticate(options as unknown as PublicKeyCredentialRequestOptionsJSON)
      : credentials.register(options as unknown as PublicKeyCredentialCreationOptionsJSON),
  );
  storeTestPasskeyUse(isTest);
  return credential;
}

/** Whether a test passkey was used last, and the account has one that is stored in this browser. */
async function isForTestPasskey({ allowCredentials }: PublicKeyCredentialRequestOptionsJSON): Promise<boolean> {
  return hasUsedTestPasskey() && (await import("./test-passkey/credentials")).hasTestPasskey(allowCredentials);
}

/** The browser's own passkeys. */
export const browserPasskeys: Credentials = {
  register: (optionsJSON: PublicKeyCredentialCreationOptionsJSON) => startRegistration({ optionsJSON }).catch(addHint),
  authenticate: (optionsJSON: PublicKeyCredentialRequestOptionsJSON) =>
    startAuthentication({ optionsJSON }).catch(addHint),
};

/** Conditional UI: resolves when the visitor picks a passkey from the field's suggestions. */
export async function authenticateByAutofill(
  optionsJSON: PublicKeyCredentialRequestOptionsJSON,
  signal: AbortSignal,
): Promise<AuthenticationResponseJSON> {
  const credential = await untilAborted(signal, () => startAuthentication({ optionsJSON, useBrowserAutofill: true }));
  storeTestPasskeyUse(false);
  return credential;
}

/**
 * Runs the dialog, and closes it when `signal` aborts. It then rejects, even if a password manager confirms its own
 * dialog later. If another dialog has replaced this one, it is already closed.
 */
async function untilAborted<T>(signal: AbortSignal, openDialog: () => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const close = () => WebAuthnAbortService.cancelCeremony();
  signal.addEventListener("abort", close);
  try {
    const credential = await openDialog();
    signal.throwIfAborted();
    return credential;
  } finally {
    signal.removeEventListener("abort", close);
  }
}

/** Rethrows the error of a ceremony, with a `hint` if we know more than that it failed. */
function addHint(error: unknown): never {
  const hint = toHint(error);
  throw error instanceof Error && hint ? Object.assign(error, { hint }) : error;
}

function toHint(error: unknown): string | null {
  // For example, in the browsers inside many apps.
  if (!window.PublicKeyCredential)
    return "This browser can't use passkeys. Open this page in Safari, Chrome or Firefox, or use a code sent by e-mail.";
  if (error instanceof Error && error.name === "InvalidStateError")
    return "This device already has a passkey for this account. You can sign in with it.";
  return null;
}
