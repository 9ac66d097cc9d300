/**
 * `test` with a `Stage` for a scene group. A worker keeps the site of its last group for the next one with
 * the same settings. It stops the site before it starts another, because an idle site costs processor time.
 */
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
      let current: { key: string; running: RunningSite } | null = null;
      await use(async (group) => {
        const key = JSON.stringify([group.env, group.postgres]);
        if (current?.key === key) return current.running;
        await current?.running.close();
        current = null;
        current = { key, running: await startSite(group) };
        return current.running;
      });
      await (current as { running: RunningSite } | null)?.running.close();
    },
    { scope: "worker", timeout: 300_000 },
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
          const context = await browser.newContext({ baseURL: site.origin, reducedMotion: "reduce", ...options });
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
