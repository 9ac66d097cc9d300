import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { type SQL, sql } from "drizzle-orm";
import { drizzle as drizzlePostgres } from "drizzle-orm/node-postgres";
import { migrate as migratePostgres } from "drizzle-orm/node-postgres/migrator";
import { drizzle as drizzlePglite } from "drizzle-orm/pglite";
import { migrate as migratePglite } from "drizzle-orm/pglite/migrator";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendOnlyTriggers } from "~/exchange.server/db/append-only";
import { queryRows } from "~/exchange.server/db/database";
import { type OpenDatabase, openPglite, openPostgres } from "~/exchange.server/db/open";
import { startPglite } from "~/exchange.server/db/pglite";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { external, getBalance, treasury } from "~/exchange.server/ledger/ledger";
import { endCauses, getOffReason } from "~/exchange.server/switches/switches";
import { createEmptyPostgres } from "../../support/postgres";
import { type TestDatabase, testDatabases } from "../../support/test-database";

const directory = mkdtempSync(join(tmpdir(), "antelope-migrations-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A folder with the migrations before the one with this name. */
function copyMigrationsBefore(name: string): string {
  const folder = mkdtempSync(join(directory, "migrations-"));
  cpSync("app/exchange.server/db/migrations", folder, { recursive: true });
  const file = join(folder, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8")) as { entries: { tag: string }[] };
  const count = journal.entries.findIndex(({ tag }) => tag === name);
  writeFileSync(file, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  return folder;
}

const rowsOfVersion1 = `
  insert into ledger_accounts (asset, code, balance) values ('USDT', 'world', -9), ('USDT', 'house', 3), ('USDT', 'held:a', 2), ('USDT', 'reserved:a', 4);
  insert into ledger_transfers (asset, from_code, to_code, amount, kind, link_id, at) values
    ('USDT', 'world', 'house', 3, 'float', 'x', now()), ('USDT', 'world', 'held:a', 2, 'float', 'y', now()),
    ('USDT', 'world', 'reserved:a', 4, 'float', 'z', now());
  insert into switches (name, off, reason, changed_at) values ('swaps', 1, 'closed', now()), ('payments', 0, '', now());
  insert into chain_states (asset, synced, obstacle) values ('USDT', 1, 'paused'), ('MOB', 0, null);
`;

/** Without the triggers of a table that a later migration adds. */
const oldTriggers = appendOnlyTriggers.replace(/^create or replace trigger operator_actions[^;]*;\n/gm, "");

/** A database with data from before a migration, opened by the current version. */
async function openUpgraded(kind: TestDatabase, migration: string, rows: string): Promise<OpenDatabase> {
  const migrationsFolder = copyMigrationsBefore(migration);
  if (kind === "PGlite") {
    const dataDir = mkdtempSync(join(directory, "pglite-"));
    const client = await PGlite.create(dataDir);
    await migratePglite(drizzlePglite(client), { migrationsFolder });
    await client.exec(oldTriggers + rows);
    await client.close();
    return openPglite(startPglite(dataDir));
  }
  const url = await createEmptyPostgres();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await migratePostgres(drizzlePostgres(client), { migrationsFolder });
  await client.query(oldTriggers + rows);
  await client.end();
  return openPostgres(url);
}

describe.each(testDatabases)("an existing database of kind %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openUpgraded(kind, "0002_booleans_and_account_names", rowsOfVersion1);
  });
  afterAll(() => database?.close());

  it("keeps its flags and balances when flags become booleans and accounts are renamed", async () => {
    const { db } = database;
    expect(await getBalance(db, "USDT", external)).toBe(-9n);
    expect(await getBalance(db, "USDT", treasury)).toBe(3n);
    expect(await checkBooks(db)).toEqual([]);
    expect(await getOffReason(db, "swaps")).toBe("closed");
    expect(await getOffReason(db, "payments")).toBeNull();
    expect(
      await db
        .select({ asset: chainStates.asset, synced: chainStates.synced, reason: chainStates.paymentBlockReason })
        .from(chainStates)
        .orderBy(chainStates.asset),
    ).toEqual([
      { asset: "MOB", synced: false, reason: null },
      { asset: "USDT", synced: true, reason: "paused" },
    ]);
  });

  it("still refuses to change its ledger after the upgrade (T58)", async () => {
    const { db } = database;
    const codeOf = (statement: SQL) =>
      db.execute(statement).then(
        () => "none",
        (error: Error) => (error.cause as { code?: string }).code,
      );
    for (const table of ["ledger_transfers", "order_events", "operator_actions"]) {
      const name = sql.identifier(table);
      // A trigger for each row needs one.
      const [rows] = await queryRows<{ count: number }>(db, sql`select count(*)::int as count from ${name}`);
      const verbs = [
        sql`truncate ${name}`,
        ...(rows?.count ? [sql`update ${name} set at = at`, sql`delete from ${name}`] : []),
      ];
      for (const verb of verbs) expect(await codeOf(verb), table).toBe("23001");
    }
    expect(await codeOf(sql`update ledger_accounts set balance = -1 where code = 'treasury'`)).toBe("23514");
    const [sum] = await queryRows<{ sum: string }>(db, sql`select sum(amount)::text as sum from ledger_transfers`);
    expect(sum?.sum).toBe("9");
  });
});

it("keeps what is off, and why, when each cause gets its own row", async () => {
  const database = await openUpgraded(
    "PostgreSQL",
    "0040_switch_causes",
    `insert into switches (name, off, reason, ends_with, changed_at) values
       ('swaps', true, 'Maintenance. A question from the bank.', null, now()),
       ('payments', true, 'USDT is missing.', 'reserves:USDT', now())`,
  );
  const { db } = database;
  expect(await getOffReason(db, "swaps")).toBe("Maintenance. A question from the bank.");
  expect(await getOffReason(db, "payments")).toBe("USDT is missing.");
  expect(await endCauses(db, "payments", ["undecided:USDT"])).toEqual(["USDT is missing."]);
  expect(await getOffReason(db, "payments")).toBeNull();
  await database.close();
});
