import { sql } from "drizzle-orm";
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { createClock } from "~/exchange.server/db/clock";
import { type Database, lockFor, queryRows } from "~/exchange.server/db/database";
import { migrate } from "~/exchange.server/db/migrate";
import journal from "~/exchange.server/db/migrations/meta/_journal.json";
import { openPostgres } from "~/exchange.server/db/open";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { jobRuns } from "~/exchange.server/db/schema/jobs";
import { openOperator } from "~/exchange.server/operator/operator";
import { StartupError } from "~/lib/startup-error";
import { toOperatorSetup } from "../../support/operator-setup";
import { createEmptyPostgres, createTestPostgres, untilBlocked } from "../../support/postgres";
import { keepsCommits, startPostgres } from "../../support/postgres-server";
import { openNewDatabase, testDatabases } from "../../support/test-database";

/** What the triggers throw, unlike a mistake in a statement. */
const refused = { cause: { code: "23001" } };

describe.each(testDatabases)("a database of kind %s", (kind) => {
  it("is migrated, reads the time, and refuses to change what is append-only (T58 T87)", async () => {
    const database = await openNewDatabase(kind);
    const now = await createClock().now(database.db);
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(5_000);
    await database.db.execute(
      sql`insert into ledger_transfers (asset, from_code, to_code, amount, kind, link_id, at) values ('USDT', 'external', 'treasury', 5, 'float', 'x', now())`,
    );
    // An event without its order is enough here.
    await database.db.execute(sql`alter table order_events drop constraint order_events_order_id_orders_id_fk`);
    await database.db.execute(sql`insert into order_events (order_id, kind, at) values ('o1', 'test', now())`);
    await database.db.execute(
      sql`insert into operator_actions (at, operator, command, arguments, result) values (now(), 'ada', 'on', '[]', '[]')`,
    );
    for (const table of ["ledger_transfers", "order_events", "operator_actions"]) {
      const name = sql.identifier(table);
      const read = () => queryRows(database.db, sql`select * from ${name}`);
      const before = await read();
      expect(before, table).toHaveLength(1);
      const attempts = {
        update: sql`update ${name} set at = at`,
        delete: sql`delete from ${name}`,
        truncate: sql`truncate ${name}`,
      };
      for (const [verb, attempt] of Object.entries(attempts)) {
        await expect(database.db.execute(attempt), `${verb} ${table}`).rejects.toMatchObject(refused);
      }
      expect(await read(), table).toEqual(before);
    }
    await database.close();
  });
});

describe("a database that a newer version has migrated", () => {
  const addMigration = sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('new', 32503680000000)`;

  it("is refused, naming the setting to change", async () => {
    const url = await createTestPostgres();
    const database = await openPostgres(url);
    await database.db.execute(addMigration);
    await expect(migrate(database.db as unknown as NodePgDatabase, "DATA_DIR")).rejects.toThrow(/newer.* DATA_DIR/);
    await database.close();
    const error: unknown = await openPostgres(url).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as Error).message).toMatch(/^A newer version .* set DATABASE_URL to another database\.$/);
  });
});

describe("a PostgreSQL that this version has migrated", () => {
  const log = pino({ level: "silent" });

  it("is opened by the exchange and an operator while one of its tables is vacuumed", async () => {
    const url = await createTestPostgres();
    const { db, close } = await openPostgres(url);
    await db.transaction(async (tx) => {
      // The lock of VACUUM, ANALYZE and CREATE INDEX CONCURRENTLY.
      await tx.execute(sql`lock table orders in share update exclusive mode`);
      await (await openPostgres(url)).close();
      const operator = await openOperator(toOperatorSetup(url), log, "ada");
      expect(await operator.getStatus()).toBeDefined();
      await operator.close();
    });
    await close();
  });

  it("gets back a trigger that was dropped", async () => {
    const url = await createTestPostgres();
    const { db, close } = await openPostgres(url);
    const readTriggers = () =>
      queryRows<{ name: string }>(db, sql`select tgname as name from pg_trigger where not tgisinternal order by 1`);
    const before = await readTriggers();
    await db.execute(sql`drop trigger ledger_transfers_append_only on ledger_transfers`);
    await (await openPostgres(url)).close();
    expect(await readTriggers()).toEqual(before);
    await close();
  });

  it("is used in the same way if it has another date style and isolation level by default", async () => {
    const url = await createTestPostgres();
    const before = await openPostgres(url);
    const name = sql.identifier(new URL(url).pathname.slice(1));
    await before.db.execute(sql`alter database ${name} set datestyle = 'SQL, DMY'`);
    await before.db.execute(sql`alter database ${name} set default_transaction_isolation = 'repeatable read'`);
    await before.close();

    const { db, close } = await openPostgres(url);
    const run = { name: "test", nextAt: new Date("2026-02-01T12:00:00.123Z") };
    const readRuns = async (tx: Database) => {
      await lockFor(tx, "runs");
      return tx.select().from(jobRuns);
    };
    let reading = Promise.resolve<unknown>(null);
    await db.transaction(async (tx) => {
      await lockFor(tx, "runs");
      reading = db.transaction(readRuns);
      await untilBlocked(db);
      await tx.insert(jobRuns).values(run);
    });
    expect(await reading).toEqual([run]);
    await close();
  });

  it("is not opened by an operator of a newer version", async () => {
    const url = await createTestPostgres();
    const { db, close } = await openPostgres(url);
    await db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`);
    const open = () => openOperator(toOperatorSetup(url), log, "ada");
    await expect(open()).rejects.toThrow(/has not migrated the database yet: start the exchange first/);
    await db.insert(chainStates).values({ asset: "MOB", chainId: "main" });
    await expect(open(), "its settings would be refused").rejects.toThrow(/belongs to the MobileCoin network main/);
    await close();
  });

  it("is not opened by an operator if it is empty, with a different message than for an older version", async () => {
    await expect(openOperator(toOperatorSetup(await createEmptyPostgres()), log, "ada")).rejects.toThrow(
      "Antelope has never used this database: set DATABASE_URL to the exchange's database or, if the exchange is new, start it first.",
    );
  });

  it.each(["", "?application_name=site"])("is not changed while an older version runs%s", async (parameters) => {
    const url = `${await createTestPostgres()}${parameters}`;
    const older = await openPostgres(url);
    const stopListening = await older.listen(() => undefined);
    // As if this version had one more migration.
    await older.db.execute(sql`update drizzle.__drizzle_migrations set created_at = created_at - 1`);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const read = async () =>
      (await client.query("select count(*)::int, max(created_at) from drizzle.__drizzle_migrations")).rows;
    const before = await read();
    const refusal = "processes of an older version are still connected";
    await expect(openPostgres(url)).rejects.toThrow(refusal);
    await older.close();
    // Its connection for notifications is still open.
    await expect(openPostgres(url)).rejects.toThrow(refusal);
    await stopListening();
    expect(await read()).toEqual(before);
    await client.end();
  });

  it("is not waited for indefinitely while another process is starting", async () => {
    const url = await createTestPostgres();
    const starting = new pg.Client({ connectionString: url });
    await starting.connect();
    await starting.query("select pg_advisory_lock(hashtextextended('antelope.migrate', 0))");
    const error: unknown = await openPostgres(url, { maxWaitMs: 500 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as Error).message).toMatch(/^Another process that is starting .* pg_terminate_backend\.$/);
    await starting.end();
    await (await openPostgres(url)).close();
  });

  it("ends a statement that takes too long", async () => {
    const { db, close } = await openPostgres(await createTestPostgres(), { maxStatementMs: 2_000 });
    const error: unknown = await db.execute(sql`select pg_sleep(60)`).catch((thrown: unknown) => thrown);
    // query_canceled
    expect(error).toMatchObject({ cause: { code: "57014" } });
    const running = sql`select query from pg_stat_activity where state = 'active' and pid <> pg_backend_pid() and datname = current_database()`;
    expect(await queryRows(db, running)).toEqual([]);
    await close();
  });
});

describe("a PostgreSQL that must keep what it has committed", () => {
  const open = async (url: string) => (await openPostgres(url, { mustKeepCommits: true })).close();

  it("is refused if a setting lets it lose commits, for the server or for the role", async () => {
    const error: unknown = await open(await createTestPostgres()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartupError);
    expect((error as Error).message).toBe(
      "PostgreSQL may lose what it has committed, payments included: switch on fsync, full_page_writes, synchronous_commit, or set DATABASE_URL to another server.",
    );
    const server = await startPostgres(keepsCommits);
    const url = `${server.url}/postgres`;
    try {
      await open(url);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query("alter role antelope set synchronous_commit = off");
      await client.end();
      await expect(open(url)).rejects.toThrow("switch on synchronous_commit, or");
    } finally {
      await server.stop();
    }
  });
});

describe("a new PostgreSQL database", () => {
  it("is migrated once when several pools open it at the same time, as several processes do", async () => {
    const url = await createEmptyPostgres();
    const open = () => openPostgres(url, { poolSize: 2 });
    const opened = await Promise.all([open(), open(), open(), open()]);
    const applied = await queryRows<{ created_at: string }>(
      opened[0].db,
      sql`select created_at from drizzle.__drizzle_migrations order by created_at`,
    );
    expect(applied.map(({ created_at }) => Number(created_at))).toEqual(journal.entries.map(({ when }) => when));
    await Promise.all(opened.map((database) => database.close()));
  });
});
