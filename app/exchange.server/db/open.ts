import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Client, Pool } from "pg";
import { minuteMs } from "../../lib/durations";
import { StartupError } from "../../lib/startup-error";
import { toConnectionError } from "./connection-error";
import type { Database } from "./database";
import { endOrTimeout } from "./end-or-timeout";
import { hasSqlState } from "./has-sql-state";
import {
  dispatchNotification,
  listenOnPostgres,
  notificationChannel,
  type OnNotification,
  type StopListening,
} from "./notifications";
import type { RunningPglite } from "./pglite";
import { PgliteStream } from "./pglite-stream";
import { ensureTriggers, triggers } from "./triggers";

/** An open, migrated database. */
export type OpenDatabase = {
  db: Database;
  kind: "pglite" | "postgres";
  /**
   * Calls `onNotification` soon after a transaction of any process has committed a change. A notification may get lost.
   */
  listen(onNotification: OnNotification): Promise<StopListening>;
  close(): Promise<void>;
};

/**
 * Connects to a PGlite that is running or starting, and migrates it. Nothing else may send it statements.
 * @throws StartupError if a newer version has migrated it
 */
export async function openPglite(starting: Promise<RunningPglite>): Promise<OpenDatabase> {
  const [{ migrate }, database] = await Promise.all([import("./migrate"), connectToPglite(starting)]);
  try {
    await migrate(database.db as unknown as NodePgDatabase, "DATA_DIR");
    await database.db.execute(sql.raw(triggers));
  } catch (error) {
    // The next attempt starts another PGlite in the same directory. A failure to close must not replace the error.
    await database.close().catch(() => undefined);
    throw error;
  }
  return database;
}

/**
 * How long PGlite keeps the plans of named statements. A plan made when a table was small may read the whole table. In
 * PostgreSQL, autovacuum leads to new plans, but PGlite does not run autovacuum.
 */
const planAgeMs = minuteMs;

/** Connects to a PGlite that is running, or starting, and was migrated before. */
export async function connectToPglite(starting: Promise<RunningPglite>): Promise<OpenDatabase> {
  const [{ createDatabase, createPool }, pglite] = await Promise.all([import("./pool"), starting]);
  const onNotifications = new Set<OnNotification>();
  const pool = createPool({
    max: 1,
    idleTimeoutMillis: 0,
    user: "postgres",
    database: "postgres",
    stream: () => new PgliteStream(pglite.send),
    onConnect: async (client) => {
      client.on("notification", ({ payload }) => {
        for (const onNotification of onNotifications) dispatchNotification(payload, onNotification);
      });
      // When the pool replaces a client that failed, PGlite's session stays, with the statements that the client named.
      await client.query(`deallocate all; listen ${notificationChannel}`);
    },
  });
  const db = createDatabase(pool);
  const discarding = setInterval(() => void pool.query("discard plans").catch(() => undefined), planAgeMs).unref();
  return {
    db,
    kind: "pglite",
    async listen(onNotification) {
      onNotifications.add(onNotification);
      return async () => {
        onNotifications.delete(onNotification);
      };
    },
    async close() {
      clearInterval(discarding);
      await pool.end();
      await pglite.close();
    },
  };
}

/**
 * A host can vanish without closing its connections. Probes notice that within 20 seconds while nothing is sent. The
 * timeout is also how long a query waits for a connection of the pool, which under load may take a while.
 */
const network = { keepAlive: true, keepAliveInitialDelayMillis: 10_000, connectionTimeoutMillis: 30_000 };

/**
 * Longer than any statement takes: the full check of the books, the slowest, takes 14 s with a million orders.
 * PostgreSQL ends a longer one, so that retries do not pile up. If it does not respond even then, the connection is
 * closed.
 */
const maxStatementMs = 115_000;
const responseMs = 5_000;

/**
 * The database or the role may have other defaults. In every other date style, times would be read wrongly, and at a
 * higher isolation level, a transaction that has waited for a lock would not see what was committed in the meantime.
 * An idle transaction keeps others waiting for its locks. Ours are never idle for long, because they don't wait for
 * anything outside the database.
 */
const sessionSettings = `
set datestyle = 'ISO';
set default_transaction_isolation = 'read committed';
set idle_in_transaction_session_timeout = '60s'`;

/** How long LISTEN may take. A pooler may accept a connection although it has none to PostgreSQL. */
const listenMs = 30_000;

/** How long closing waits for statements that are still running. */
const maxCloseMs = 5_000;

/** How long a migration waits for a table. In the meantime, all other statements that use the table wait, too. */
const maxLockMs = 10_000;

/** How long a start waits for another process that is starting. That process may have lost its network or machine. */
const maxWaitMs = 120_000;

type PostgresOptions = {
  poolSize?: number;
  maxStatementMs?: number;
  maxWaitMs?: number;
  /** False: the exchange must already have migrated the database. */
  migrates?: boolean;
  /** True: refuse a server that may lose what it has committed. */
  mustKeepCommits?: boolean;
  /**
   * Rejects if the database must not be used. Called before the migration, because the previous version cannot use the
   * database afterwards. Without `migrates`, called before the check that this version has migrated the database. The
   * tables that it reads may not exist yet.
   */
  check?: (db: Database) => Promise<void>;
};

/**
 * Opens PostgreSQL and migrates it. Several processes may start at once: one migrates, the others wait a while.
 * @throws StartupError if the database cannot be reached or migrated, may lose commits, or is refused by `options.check`
 */
export async function openPostgres(databaseUrl: string, options: PostgresOptions = {}): Promise<OpenDatabase> {
  const { poolSize = 10, migrates = true } = options;
  const url = withoutApplicationName(databaseUrl);
  const statementMs = options.maxStatementMs ?? maxStatementMs;
  const [{ default: pg }, { drizzle }, { applications, migrate, requireMigrated }, { createPool }] = await Promise.all([
    import("pg"),
    import("drizzle-orm/node-postgres"),
    import("./migrate"),
    import("./pool"),
  ]);
  const pool = createPool({
    ...network,
    connectionString: url,
    application_name: applications.pool,
    max: poolSize,
    query_timeout: statementMs + responseMs,
    // Sent as statements, because poolers refuse connection parameters.
    onConnect: async (client) => {
      await client.query(`set statement_timeout = ${statementMs}; ${sessionSettings}`);
    },
  });
  let migrator: Client | undefined;
  try {
    // Reads the files of certificates that the URL names.
    migrator = new pg.Client({ ...network, connectionString: url });
    // If the connection is lost, the next statement fails. Without a listener, the process would end.
    migrator.on("error", () => undefined);
    await migrator.connect();
    if (options.mustKeepCommits) await requireKeptCommits(migrator);
    const db = drizzle(migrator, { casing: "snake_case" });
    if (migrates) {
      // The role may have its own limit, and creating an index on a large table takes a long time.
      await migrator.query("set statement_timeout = 0");
      await lockForMigration(migrator, options.maxWaitMs ?? maxWaitMs);
      await migrator.query(`set lock_timeout = ${maxLockMs}`);
      await options.check?.(db as unknown as Database);
      await migrate(db, "DATABASE_URL");
      await ensureTriggers(migrator);
    } else {
      await requireMigrated(db, "DATABASE_URL").catch(async (refusal: unknown) => {
        await options.check?.(db as unknown as Database);
        throw refusal;
      });
    }
  } catch (error) {
    await pool.end();
    throw error instanceof StartupError ? error : toConnectionError(url, error);
  } finally {
    await migrator?.end().catch(() => undefined);
  }
  return openPool(pool, url);
}

/**
 * The URL without a name for its connections, which would replace ours. Other versions recognise a running process by
 * the names of its connections (migrate.ts).
 */
function withoutApplicationName(url: string): string {
  const parsed = new URL(url);
  if (!parsed.searchParams.has("application_name")) return url;
  parsed.searchParams.delete("application_name");
  return parsed.href;
}

/** Lets one process at a time start on the database. @throws StartupError if another one takes too long */
async function lockForMigration(client: Client, maxMs: number): Promise<void> {
  await client.query(`set lock_timeout = ${maxMs}`);
  try {
    await client.query("select pg_advisory_lock(hashtextextended('antelope.migrate', 0))");
  } catch (cause) {
    if (!hasSqlState(cause, lockNotAvailable)) throw cause;
    throw new StartupError(
      "Another process that is starting has kept the database locked for too long: start again once it has started. If it was lost with its machine, end its connection with pg_terminate_backend.",
      { cause },
    );
  }
}

const lockNotAvailable = /^55P03$/;

/** Without a payment's commit, the payment could be made twice. @throws StartupError */
async function requireKeptCommits(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select name from pg_settings where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name",
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(", ");
  throw new StartupError(
    `PostgreSQL may lose what it has committed, payments included: switch on ${names}, or set DATABASE_URL to another server.`,
  );
}

/** Uses a pool of connections to a PostgreSQL that was migrated before. */
export async function openPool(pool: Pool, url: string): Promise<OpenDatabase> {
  const [{ createDatabase, PostgresClient }, { applications }] = await Promise.all([
    import("./pool"),
    import("./migrate"),
  ]);
  return {
    db: createDatabase(pool),
    kind: "postgres",
    listen: (onNotification) =>
      listenOnPostgres(
        () =>
          new PostgresClient({
            ...network,
            connectionString: url,
            application_name: applications.notifications,
            query_timeout: listenMs,
          }),
        onNotification,
      ),
    async close() {
      await endOrTimeout(pool.end(), maxCloseMs);
    },
  };
}
