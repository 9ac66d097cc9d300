/** `test` with a `Stage` for a scene group. Groups with the same settings share a site per worker. */
import { type BrowserContext, test as base } from "@playwright/test";
import { startPostgres } from "../../../support/postgres-server";
import { addAuthenticator } from "../authenticator";
import { PageErrors } from "../page-errors";
import { Site } from "../site";
import type { SceneGroup, Stage } from "./scene-group";

type RunningSite = { site: Site; databaseUrl: string; close(): Promise<void> };

type Fixtures = { openStage(group: SceneGroup): Promise<Stage> };
type WorkerFixtures = { getSite(group: SceneGroup): Promise<RunningSite> };

export const test = base.extend<Fixtures, WorkerFixtures>({
  getSite: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const sites = new Map<string, Promise<RunningSite>>();
      await use((group) => {
        const key = JSON.stringify([group.env, group.postgres]);
        const runningSite = sites.get(key) ?? startSite(group);
        sites.set(key, runningSite);
        return runningSite;
      });
      for (const runningSite of await Promise.allSettled(sites.values())) {
        if (runningSite.status === "fulfilled") await runningSite.value.close();
      }
    },
    { scope: "worker", timeout: 120_000 },
  ],
  openStage: async ({ browser, getSite }, use) => {
    const opened: BrowserContext[] = [];
    const watched: PageErrors[] = [];
    await use(async (group) => {
      const { site, databaseUrl } = await getSite(group);
      const pageErrors = new PageErrors(site.origin);
      watched.push(pageErrors);
      return {
        site,
        databaseUrl,
        pageErrors,
        async open(options) {
          const context = await browser.newContext({ baseURL: site.origin, ...options });
          opened.push(context);
          pageErrors.watch(context);
          const page = await context.newPage();
          return { page, authenticator: await addAuthenticator(page) };
        },
      };
    });
    for (const context of opened) await context.close();
    for (const { unexpected } of watched) base.expect(unexpected, "errors reported by the pages").toEqual([]);
  },
});

async function startSite({ env, postgres }: SceneGroup): Promise<RunningSite> {
  if (!postgres) {
    const site = await Site.start(env);
    return { site, databaseUrl: "", close: () => site.stop() };
  }
  const { url, stop } = await startPostgres();
  const databaseUrl = `${url}/postgres`;
  const site = await Site.start({ ...env, DATABASE_URL: databaseUrl }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    site,
    databaseUrl,
    async close() {
      await site.stop();
      await stop();
    },
  };
}
