/** `test` for walks through the rooms: sites by their settings, one each a worker. */
import { type BrowserContext, test as base } from "@playwright/test";
import { startPostgres } from "../../../support/postgres-server";
import { Site } from "../site";
import { addAuthenticator } from "../test";
import { Troubles } from "../troubles";
import type { Room, Stage } from "./room";

type Place = { site: Site; databaseUrl: string; close(): Promise<void> };

type Fixtures = { enterStage(room: Room): Promise<Stage> };
type WorkerFixtures = { findPlace(room: Room): Promise<Place> };

export const test = base.extend<Fixtures, WorkerFixtures>({
  findPlace: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const places = new Map<string, Promise<Place>>();
      await use((room) => {
        const key = JSON.stringify([room.env, room.postgres]);
        const place = places.get(key) ?? openPlace(room);
        places.set(key, place);
        return place;
      });
      for (const place of await Promise.allSettled(places.values())) {
        if (place.status === "fulfilled") await place.value.close();
      }
    },
    { scope: "worker", timeout: 120_000 },
  ],
  enterStage: async ({ browser, findPlace }, use) => {
    const opened: BrowserContext[] = [];
    const watched: Troubles[] = [];
    await use(async (room) => {
      const { site, databaseUrl } = await findPlace(room);
      const troubles = new Troubles(site.origin);
      watched.push(troubles);
      return {
        site,
        databaseUrl,
        troubles,
        async open(options) {
          const context = await browser.newContext({ baseURL: site.origin, ...options });
          opened.push(context);
          troubles.watch(context);
          const page = await context.newPage();
          return { page, authenticator: await addAuthenticator(page) };
        },
      };
    });
    for (const context of opened) await context.close();
    for (const { unexpected } of watched) base.expect(unexpected, "what the pages complained of").toEqual([]);
  },
});

async function openPlace({ env, postgres }: Room): Promise<Place> {
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
