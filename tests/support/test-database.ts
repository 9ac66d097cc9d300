import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { requireOneHandle } from "./forbid-nested-handles";
import { openNewPglite, openPgliteInMemory } from "./pglite-in-memory";
import { createEmptyPostgres, openKeptPostgres } from "./postgres";

const allDatabases = ["PGlite", "PostgreSQL"] as const;
export type TestDatabase = (typeof allDatabases)[number];

/**
 * Both kinds, for tests of the database itself, and one or two of each part that uses it. Mutation tests use one kind,
 * because what they change does not depend on the database.
 */
export const testDatabases = allDatabases.filter(
  (kind) => process.env.TEST_DATABASE === undefined || process.env.TEST_DATABASE === kind,
);

/** A migrated, empty database of either kind. Close it: it is used again for the next test. */
export async function openTestDatabase(kind: TestDatabase): Promise<OpenDatabase> {
  const database = await (kind === "PGlite" ? openPgliteInMemory() : openKeptPostgres());
  return { ...database, db: requireOneHandle(database.db) };
}

/** A database that starts empty and is migrated when it is opened. */
export async function openNewDatabase(kind: TestDatabase): Promise<OpenDatabase> {
  return kind === "PGlite" ? openNewPglite() : openPostgres(await createEmptyPostgres());
}
