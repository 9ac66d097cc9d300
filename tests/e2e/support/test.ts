/**
 * `test` for the browser tests: one site per worker, pages whose errors fail the test, and a virtual
 * platform authenticator.
 */
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { addAuthenticator } from "./authenticator";
import { PageErrors } from "./page-errors";
import { Site, type SiteEnv } from "./site";

export { expect } from "@playwright/test";

type WorkerFixtures = {
  /** Settings of this file's site that differ from the defaults. Each object starts its own site. */
  siteEnv: SiteEnv;
  site: Site;
};

type TestFixtures = {
  /** Errors reported by the pages. A test allows those it causes with `pageErrors.expect`. */
  pageErrors: PageErrors;
  /** Opens another browser, whose errors fail the test as well. */
  openBrowser(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Opens a page in another browser with the cookies of `page`, so that it is signed in as the same customer. */
  openCopy(options?: BrowserContextOptions): Promise<Page>;
};

export const test = base.extend<TestFixtures, WorkerFixtures>({
  siteEnv: [{}, { option: true, scope: "worker" }],
  site: [
    async ({ siteEnv }, use) => {
      const site = await Site.start(siteEnv);
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
  baseURL: async ({ site }, use) => use(site.origin),
  pageErrors: async ({ site }, use) => {
    const pageErrors = new PageErrors(site.origin);
    await use(pageErrors);
    expect(pageErrors.unexpected, "errors reported by the pages").toEqual([]);
  },
  context: async ({ context, pageErrors }, use) => {
    pageErrors.watch(context);
    await use(context);
  },
  page: async ({ context }, use) => {
    const page = await context.newPage();
    await addAuthenticator(page);
    await use(page);
  },
  openBrowser: async ({ browser, pageErrors, site }, use) => {
    const opened: BrowserContext[] = [];
    await use(async (options) => {
      // Chromium reports each script that it does not run as blocked ("csp").
      if (options?.javaScriptEnabled === false) pageErrors.expect(/\.js csp$/);
      const context = await browser.newContext({ baseURL: site.origin, ...options });
      pageErrors.watch(context);
      opened.push(context);
      return context;
    });
    for (const context of opened) await context.close();
  },
  openCopy: async ({ page, openBrowser }, use) => {
    await use(async (options) => {
      const storageState = await page.context().storageState();
      return (await openBrowser({ ...options, storageState })).newPage();
    });
  },
});
