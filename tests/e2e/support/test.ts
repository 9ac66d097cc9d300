/**
 * `test` for the browser tests: sites that a worker keeps for its next tests, pages whose errors fail the test,
 * and a virtual platform authenticator.
 */
import { type BrowserContext, type BrowserContextOptions, test as base, expect, type Page } from "@playwright/test";
import { addAuthenticator } from "./authenticator";
import { PageErrors } from "./page-errors";
import type { Site, SiteEnv } from "./site";
import { followLog } from "./site-log";
import { WorkerSites } from "./worker-sites";

export { expect } from "@playwright/test";

/** One per worker, so that files with other settings can share a worker. */
type WorkerFixtures = { workerSites: WorkerSites };

type TestFixtures = {
  /** Settings of this file's site that differ from the defaults. */
  siteEnv: SiteEnv;
  site: Site;
  /** Errors reported by the pages. A test allows those it causes with `pageErrors.expect`. */
  pageErrors: PageErrors;
  /** Opens another browser, whose errors fail the test as well. */
  openBrowser(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Opens a page in another browser with the cookies of `page`, so that it is signed in as the same customer. */
  openCopy(options?: BrowserContextOptions): Promise<Page>;
};

/** Starting a site does not count as the test's own time. */
export const siteTimeout = { scope: "test", timeout: 300_000 } as const;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  workerSites: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const sites = new WorkerSites();
      await use(sites);
      await sites.stop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
  siteEnv: [{}, { option: true }],
  site: [
    async ({ workerSites, siteEnv }, use, testInfo) => {
      const { site } = await workerSites.get({ env: siteEnv });
      const attachLog = followLog(site);
      await use(site);
      await attachLog(testInfo);
    },
    siteTimeout,
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
