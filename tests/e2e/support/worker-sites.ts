/**
 * The sites of a worker. A start takes over two seconds of processor time, an idle site 6% of a core: the site with the
 * default settings is paused while tests use another, which is stopped when the next test has other settings.
 */
import { startPostgres } from "../../support/postgres-server";
import { Site, type SiteEnv } from "./site";

export type SiteSettings = {
  /** Settings that differ from the defaults of the tests. */
  env?: SiteEnv;
  /** On PostgreSQL, for tests that run operator commands or change tables. */
  postgres?: boolean;
};

/** `databaseUrl` is empty for an embedded database. */
export type RunningSite = { site: Site; databaseUrl: string };

type Kept = RunningSite & { key: string; stop(): Promise<void> };

const defaultKey = toKey({});

export class WorkerSites {
  #default: Kept | null = null;
  #isDefaultPaused = false;
  #other: Kept | null = null;
  /** Sites that are no longer needed. They stop while the next one starts. */
  readonly #stopping: Promise<void>[] = [];

  async get(settings: SiteSettings): Promise<RunningSite> {
    const key = toKey(settings);
    if (this.#other?.key === key) return this.#other;
    if (this.#other) this.#endLater(this.#other);
    this.#other = null;
    if (key === defaultKey) {
      if (this.#isDefaultPaused) await this.#default?.site.resume();
      this.#isDefaultPaused = false;
      this.#default ??= await start(settings);
      return this.#default;
    }
    this.#default?.site.pause();
    this.#isDefaultPaused = this.#default !== null;
    this.#other = await start(settings);
    return this.#other;
  }

  #endLater({ stop }: Kept): void {
    const stopping = stop();
    // `stop` below reports the error; otherwise, it would fail whichever test is running.
    stopping.catch(() => undefined);
    this.#stopping.push(stopping);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#default?.stop(), this.#other?.stop(), ...this.#stopping]);
  }
}

function toKey({ env = {}, postgres = false }: SiteSettings): string {
  return JSON.stringify([env, postgres]);
}

async function start(settings: SiteSettings): Promise<Kept> {
  const key = toKey(settings);
  if (!settings.postgres) {
    const site = await Site.start(settings.env);
    return { key, site, databaseUrl: "", stop: () => site.stop() };
  }
  const { url, stop } = await startPostgres();
  const databaseUrl = `${url}/postgres`;
  const site = await Site.start({ ...settings.env, DATABASE_URL: databaseUrl }).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    key,
    site,
    databaseUrl,
    async stop() {
      try {
        await site.stop();
      } finally {
        await stop();
      }
    },
  };
}
