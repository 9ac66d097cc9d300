import { type OpenDatabase, openPglite, openPostgres } from "../../app/exchange.server/db/open";
import { createTestPostgres } from "./postgres";

export const testDatabases = ["PGlite", "PostgreSQL"] as const;
export type TestDatabase = (typeof testDatabases)[number];

/** A fresh, migrated database of either kind; the same integration tests run on both. */
export async function openTestDatabase(kind: TestDatabase): Promise<OpenDatabase> {
  if (kind === "PGlite") return openPglite(null);
  return openPostgres(await createTestPostgres());
}
