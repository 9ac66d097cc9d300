import type { Credentials } from "~/browser/credentials";
import { createTestAuthenticator } from "./authenticator";
import { keepPasskeys } from "./kept-passkeys";

/** The test passkey in the place of the browser's own. Its chunk is loaded when it is chosen. */
export function openTestCredentials(): Credentials {
  return createTestAuthenticator({ origin: window.location.origin, keep: keepPasskeys(window.localStorage) });
}
