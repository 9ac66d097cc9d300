import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import { StartupError } from "../../lib/startup-error";

const migrationsFolder = resolve("app/exchange.server/db/migrations");

/**
 * Applies the migrations that the database does not have.
 * @param variable the setting that names the database
 * @throws StartupError if a newer version has migrated it, because this one cannot work with the result
 */
export async function migrate(db: NodePgDatabase, variable: "DATABASE_URL" | "DATA_DIR"): Promise<void> {
  await applyMigrations(db, { migrationsFolder });
  const { rows } = await db.execute<{ newest: string }>(
    sql`select max(created_at) as newest from drizzle.__drizzle_migrations`,
  );
  if (Number(rows[0]?.newest) > (await readNewest())) {
    throw new StartupError(
      `A newer version of Antelope has migrated this database: start that version, or set ${variable} to another database.`,
    );
  }
}

/** The time of our newest migration, from Drizzle's journal. */
async function readNewest(): Promise<number> {
  const journal = JSON.parse(await readFile(join(migrationsFolder, "meta/_journal.json"), "utf8")) as {
    entries: { when: number }[];
  };
  return Math.max(...journal.entries.map(({ when }) => when));
}
