/**
 * `test` for every browser test: a site of the worker's own, pages whose every complaint
 * fails the test, and a virtual authenticator that answers as a platform's does.
 */
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { Site, type SiteEnv } from "./site";
import { Troubles } from "./troubles";

export { expect } from "@playwright/test";

type WorkerFixtures = {
  /** Settings of this file's site that differ from the usual ones; another object is another server. */
  siteEnv: SiteEnv;
  site: Site;
};

type TestFixtures = {
  /** What pages complained of; a test that means it says so with `troubles.expect`. */
  troubles: Troubles;
  /** A further browser, watched like the first. */
  openBrowser(options?: BrowserContextOptions): Promise<BrowserContext>;
};

export const test = base.extend<TestFixtures, WorkerFixtures>({
  siteEnv: [{}, { option: true, scope: "worker" }],
  site: [
    async ({ siteEnv }, use) => {
      const site = await Site.start(siteEnv);
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
  troubles: async ({ site }, use) => {
    const troubles = new Troubles(site.origin);
    await use(troubles);
    expect(troubles.unexpected, "what the pages complained of").toEqual([]);
  },
  context: async ({ context, troubles }, use) => {
    troubles.watch(context);
    await use(context);
  },
  page: async ({ context }, use) => {
    const page = await context.newPage();
    await addAuthenticator(page);
    await use(page);
  },
  openBrowser: async ({ browser, troubles, site }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options) => {
      const context = await browser.newContext({ baseURL: site.origin, ...options });
      troubles.watch(context);
      opened.push(context);
      return context;
    });
    for (const context of opened) await context.close();
  },
});

export type Authenticator = {
  /** While false it declines, as a person who closes the dialogue. */
  setUserVerified(verified: boolean): Promise<void>;
  listCredentials(): Promise<unknown[]>;
  remove(): Promise<void>;
};

/** A platform authenticator with discoverable credentials, present and verified at once (CDP's WebAuthn domain). */
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
  return {
    async setUserVerified(isUserVerified) {
      await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    async listCredentials() {
      return (await cdp.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
    },
    async remove() {
      await cdp.send("WebAuthn.removeVirtualAuthenticator", { authenticatorId });
    },
  };
}
