/** `test` with a `Stage` for a scene group. */
import type { BrowserContext } from "@playwright/test";
import { addAuthenticator } from "../authenticator";
import { PageErrors } from "../page-errors";
import { followLog } from "../site-log";
import { test as base } from "../test";
import type { SceneGroup, Stage } from "./scene-group";

type Fixtures = { openStage(group: SceneGroup): Promise<Stage> };

export const test = base.extend<Fixtures>({
  // Each group names its site, so none is started for Playwright's default.
  baseURL: undefined,
  openStage: async ({ browser, workerSites }, use, testInfo) => {
    const opened: BrowserContext[] = [];
    const watched: PageErrors[] = [];
    const logs: ReturnType<typeof followLog>[] = [];
    await use(async (group) => {
      const { site, databaseUrl } = await workerSites.get(group);
      const pageErrors = new PageErrors(site.origin);
      watched.push(pageErrors);
      logs.push(followLog(site));
      return {
        site,
        databaseUrl,
        pageErrors,
        async open(options) {
          const context = await browser.newContext({ baseURL: site.origin, reducedMotion: "reduce", ...options });
          opened.push(context);
          pageErrors.watch(context);
          const page = await context.newPage();
          return { page, authenticator: await addAuthenticator(page) };
        },
      };
    });
    for (const context of opened) await context.close();
    for (const attachLog of logs) await attachLog(testInfo);
    for (const { unexpected } of watched) base.expect(unexpected, "errors reported by the pages").toEqual([]);
  },
});
