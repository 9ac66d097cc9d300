import { openAsBlob } from "node:fs";
import { inject } from "vitest";
import { type OpenDatabase, openPglite, openPostgres } from "../../app/exchange.server/db/open";
import { requireOneHandle } from "./one-handle";
import { createEmptyPostgres, createTestPostgres, dropTestPostgres } from "./postgres";

const allDatabases = ["PGlite", "PostgreSQL"] as const;
export type TestDatabase = (typeof allDatabases)[number];

/** Those that tests of both run on. Mutation tests use one: a change to the exchange's code is not about databases. */
export const testDatabases = allDatabases.filter(
  (kind) => process.env.TEST_DATABASE === undefined || process.env.TEST_DATABASE === kind,
);

/** A fresh, migrated database of either kind, copied from the run's template. Most tests run on both kinds. */
export async function openTestDatabase(kind: TestDatabase): Promise<OpenDatabase> {
  const database =
    kind === "PGlite" ? await openPglite(null, await openAsBlob(inject("pgliteSnapshot"))) : await openTemporary();
  return { ...database, db: requireOneHandle(database.db) };
}

/** A PostgreSQL database that is deleted when it is closed: those of a mutation run would fill the disk. */
async function openTemporary(): Promise<OpenDatabase> {
  const url = await createTestPostgres();
  const database = await openPostgres(url);
  const close = async () => {
    await database.close();
    await dropTestPostgres(url);
  };
  return { ...database, close };
}

/** A database that starts empty and is migrated when it is opened. */
export async function openNewDatabase(kind: TestDatabase): Promise<OpenDatabase> {
  return kind === "PGlite" ? openPglite(null) : openPostgres(await createEmptyPostgres());
}
