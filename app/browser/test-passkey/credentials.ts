import type { Credentials } from "~/browser/credentials";
import { createTestAuthenticator } from "./authenticator";
import { createPasskeyStore } from "./stored-passkeys";

/** Software passkeys that replace the browser's own. Loaded only when the visitor chooses a test passkey. */
export function openTestCredentials(): Credentials {
  return createTestAuthenticator({ origin: window.location.origin, store: createPasskeyStore(window.localStorage) });
}

/** Whether a test passkey of this browser is among the allowed ones. */
export function hasTestPasskey(allowed: { id: string }[] = []): boolean {
  const own = createPasskeyStore(window.localStorage).list();
  return allowed.some(({ id }) => own.some((passkey) => passkey.id === id));
}
