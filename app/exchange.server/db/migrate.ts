import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import { StartupError } from "../../lib/startup-error";

const migrationsFolder = resolve("app/exchange.server/db/migrations");

/** The application names of a process's connections: of its pool, and of the one for notifications. */
export const applications = { pool: "antelope", notifications: "antelope-notices" };

/**
 * Applies the migrations that the database does not have.
 * @param variable the setting that names the database
 * @throws StartupError if a newer version has migrated it, or if processes of an older version still run: a version
 *   cannot work with the migrations of a newer one
 */
export async function migrate(db: NodePgDatabase, variable: "DATABASE_URL" | "DATA_DIR"): Promise<void> {
  if (variable === "DATABASE_URL") await requireOthersStopped(db);
  await applyMigrations(db, { migrationsFolder });
  await requireMigrated(db, variable);
}

/**
 * Requires that the database has exactly the migrations of this version.
 * @throws StartupError, whose message distinguishes a database that Antelope has never used from one of an older
 * version
 */
export async function requireMigrated(db: NodePgDatabase, variable: "DATABASE_URL" | "DATA_DIR"): Promise<void> {
  const ours = await readNewest();
  const newest = await readNewestApplied(db);
  if (newest > ours) {
    throw new StartupError(
      `A newer version of Antelope has migrated this database: start that version, or set ${variable} to another database.`,
    );
  }
  if (newest === 0) {
    throw new StartupError(
      `Antelope has never used this database: set ${variable} to the exchange's database or, if the exchange is new, start it first.`,
    );
  }
  if (newest < ours) {
    throw new StartupError(
      `This version of Antelope has not migrated the database yet: start the exchange first, or set ${variable} to another database.`,
    );
  }
}

/** Requires that no process of an older version uses a database that is about to be changed. @throws StartupError */
async function requireOthersStopped(db: NodePgDatabase): Promise<void> {
  const applied = await readNewestApplied(db);
  if (applied === 0 || applied >= (await readNewest())) return;
  const { rows } = await db.execute<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity
         where datname = current_database() and application_name = any(${sql.param(Object.values(applications))})`,
  );
  if ((rows[0]?.count ?? 0) === 0) return;
  throw new StartupError(
    "This version has to change the database, and processes of an older version are still connected: stop every process first, then start this version. If one was lost with its machine, end its connections with pg_terminate_backend.",
  );
}

/** The time of the newest migration that the database has, or 0. */
async function readNewestApplied(db: NodePgDatabase): Promise<number> {
  const table = await db.execute<{ name: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') as name`,
  );
  if (table.rows[0]?.name === null) return 0;
  const { rows } = await db.execute<{ newest: string | null }>(
    sql`select max(created_at) as newest from drizzle.__drizzle_migrations`,
  );
  return Number(rows[0]?.newest);
}

/** The time of our newest migration, from Drizzle's journal. */
async function readNewest(): Promise<number> {
  const journal = JSON.parse(await readFile(join(migrationsFolder, "meta/_journal.json"), "utf8")) as {
    entries: { when: number }[];
  };
  return Math.max(...journal.entries.map(({ when }) => when));
}
