import { openAsBlob } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openPostgres } from "~/exchange.server/db/open";
import { triggers } from "~/exchange.server/db/triggers";
import { prepareSnapshot } from "../simulation/snapshot";
import { readShape } from "./empty-database";
import { startPostgres } from "./postgres-server";

declare module "vitest" {
  export interface ProvidedContext {
    /** postgres://user:password@socket-directory:port, without a database. */
    postgresUrl: string;
    /** The path of a migrated PGlite data directory, for sites to start with a copy of. */
    pgliteDirectory: string;
    /** The path of a dump of it. */
    pgliteSnapshot: string;
    /** The name of a migrated database in the run's PostgreSQL. */
    postgresTemplate: string;
    /** What `readShape` returns for it. */
    postgresShape: string;
  }
}

const postgresTemplate = "antelope_template";

/**
 * Before the integration tests: one PostgreSQL for the whole run and one migrated database of
 * each kind to copy, so that tests do not migrate theirs.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), "antelope-snapshot-"));
  const pgliteDirectory = join(directory, "database");
  const pgliteSnapshot = join(directory, "pglite.tar");
  // Autovacuum collects statistics at unpredictable times, which would change query plans and slow some runs down.
  const starting = startPostgres(["autovacuum=off"]);
  const template = starting.then(({ url }) => createPostgresTemplate(url));
  const snapshot = createPgliteSnapshot(pgliteDirectory, pgliteSnapshot);
  const ready = Promise.all([starting, template, snapshot]);
  const [postgres, postgresShape] = await ready.catch(async (error: unknown) => {
    // If the server were left running, the run would not end.
    await starting.then(
      ({ stop }) => stop(),
      () => undefined,
    );
    throw error;
  });
  project.provide("postgresUrl", postgres.url);
  project.provide("postgresTemplate", postgresTemplate);
  project.provide("postgresShape", postgresShape);
  project.provide("pgliteDirectory", pgliteDirectory);
  project.provide("pgliteSnapshot", pgliteSnapshot);
  return async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
}

async function createPostgresTemplate(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  await client.query(`create database ${postgresTemplate}`);
  await client.end();
  await (await openPostgres(`${url}/${postgresTemplate}`)).close();
  const template = new pg.Client({ connectionString: `${url}/${postgresTemplate}` });
  await template.connect();
  const shape = await readShape(template);
  await template.end();
  return shape;
}

/**
 * Creates a migrated database in `dataDir`, and a dump of it. Starts with the simulator's, because applying all
 * migrations takes PGlite seconds.
 */
async function createPgliteSnapshot(dataDir: string, file: string): Promise<void> {
  const client = await PGlite.create(dataDir, { loadDataDir: await openAsBlob(await prepareSnapshot()) });
  await client.exec(triggers);
  const dump = await client.dumpDataDir("none");
  await client.close();
  await writeFile(file, dump.stream());
}
