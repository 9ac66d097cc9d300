/** Accounts of a site, registered through its forms with the software authenticator. */
import { devices } from "@playwright/test";
import { type ExportedPasskey, TestAuthenticator } from "../../support/authenticator";
import { type Backend, registerAtSite, signUp } from "../../support/sign-up";
import { until } from "../../support/until";
import { patience, readCode } from "./sandbox";
import type { Site } from "./site";

/** What a browser needs to be signed in. */
export type SiteAccount = { email: string; cookie: string; passkeys: ExportedPasskey[] };

let emailCount = 0;
export function newEmail(name = "ada"): string {
  emailCount += 1;
  return `${name}-${process.pid}-${emailCount}@example.org`;
}

export function toBackend(site: Site): Backend {
  return {
    origin: site.origin,
    fetch,
    readCode: (email) => readCode(site, email),
    untilReviewed: (api) =>
      until("the reviewer's decision", async () => (await api.getKyc()).status !== "pending", patience),
  };
}

/** A verified account that no other test uses. */
export async function takeAccount(site: Site): Promise<SiteAccount> {
  return site.accounts.shift() ?? createAccount(site);
}

/** Registers an account with a passkey and, by default, verifies its e-mail address and identity. */
export async function createAccount(site: Site, { verified = true } = {}): Promise<SiteAccount> {
  let cookie = "";
  const register = async (email: string, authenticator: TestAuthenticator) => {
    const session = await registerAtSite(site.origin, email, authenticator, devices["Desktop Chrome"].userAgent);
    cookie = session.cookie;
    return { access_token: session.accessToken };
  };
  const email = newEmail();
  if (verified) {
    const { authenticator } = await signUp(toBackend(site), email, { register });
    return { email, cookie, passkeys: authenticator.exportPasskeys() };
  }
  const authenticator = new TestAuthenticator(site.origin);
  await register(email, authenticator);
  return { email, cookie, passkeys: authenticator.exportPasskeys() };
}
