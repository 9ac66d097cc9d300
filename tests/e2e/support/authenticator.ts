import type { Page } from "@playwright/test";
import type { ExportedPasskey } from "../../support/authenticator";

export type Authenticator = {
  /** While false, it declines, as if the visitor closed the dialog. */
  setUserVerified(verified: boolean): Promise<void>;
  /** While false, it does not respond, as if the visitor ignored the dialog. */
  setPresent(present: boolean): Promise<void>;
  /** Adds a passkey that was registered elsewhere. */
  addPasskey(passkey: ExportedPasskey): Promise<void>;
};

const authenticators = new WeakMap<Page, Authenticator>();

/** Adds a platform authenticator with discoverable credentials that consents immediately (CDP's WebAuthn domain). */
export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const authenticator: Authenticator = {
    async setUserVerified(isUserVerified) {
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    async setPresent(enabled) {
      await cdp.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
    async addPasskey(credential) {
      await cdp.send("WebAuthn.addCredential", { authenticatorId, credential });
    },
  };
  authenticators.set(page, authenticator);
  return authenticator;
}

/** Gives the page's authenticator, if it has one, a passkey that was registered elsewhere. */
export async function addPasskey(page: Page, passkey: ExportedPasskey): Promise<void> {
  await authenticators.get(page)?.addPasskey(passkey);
}

/**
 * Stops the page's authenticator, if it has one, from consenting. Do this before signing out:
 * /login offers passkeys in the address field's suggestions, and some versions of Chromium let
 * a present virtual authenticator accept the suggestion immediately, which signs the visitor in again.
 */
export async function disableAuthenticator(page: Page): Promise<void> {
  await authenticators.get(page)?.setPresent(false);
}

/** Lets the page's authenticator consent again. */
export async function enableAuthenticator(page: Page): Promise<void> {
  await authenticators.get(page)?.setPresent(true);
}

/**
 * Signs in with the button on /login, after `disableAuthenticator`. The page is loaded again
 * first: a fresh page does not offer suggestions yet that the authenticator could accept instead.
 */
export async function pressPasskeyButton(page: Page, path = "/login"): Promise<void> {
  await page.goto(path);
  await authenticators.get(page)?.setPresent(true);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
}
