import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { rowsOf } from "../../../app/exchange.server/db/database";
import { type OpenDatabase, openPglite } from "../../../app/exchange.server/db/open";
import { startPglite } from "../../../app/exchange.server/db/pglite";
import { switches } from "../../../app/exchange.server/db/schema/switches";

const dataDir = mkdtempSync(join(tmpdir(), "antelope-pglite-"));
let database: OpenDatabase;
beforeAll(async () => {
  database = await openPglite(startPglite(dataDir));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it("works in a thread of its own, so that this one can answer requests meanwhile", async () => {
  const slow = rowsOf<{ n: string }>(database.db, sql`select count(*)::text as n from generate_series(1, 2000000)`);
  let turns = 0;
  let counting = true;
  const count = () => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  setImmediate(count);
  expect(await slow).toEqual([{ n: "2000000" }]);
  counting = false;
  // In this thread the statement would leave the event loop a turn or two.
  expect(turns).toBeGreaterThan(20);
});

it("reports what the database refuses with its code and constraint", async () => {
  await database.db.execute(sql`create table things (id int primary key)`);
  await database.db.execute(sql`insert into things values (1)`);
  const cause = { code: "23505", constraint: "things_pkey" };
  await expect(database.db.execute(sql`insert into things values (${1})`)).rejects.toMatchObject({ cause });
  expect(await rowsOf(database.db, sql`select id from things`)).toEqual([{ id: 1 }]);
});

it("runs named statements again after one was refused, although the pool then takes another client", async () => {
  const read = () => database.db.select({ name: switches.name }).from(switches).prepare("named").execute();
  expect(await read()).toEqual([]);
  await expect(database.db.execute(sql`select 1 / 0`)).rejects.toThrow();
  expect(await read()).toEqual([]);
});

it("keeps a transaction apart from statements sent meanwhile, and undoes it when it fails", async () => {
  await database.db.execute(sql`create table items (id int primary key)`);
  const outside: Promise<unknown>[] = [];
  const failed = database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into items values (1)`);
    outside.push(rowsOf(database.db, sql`select id from items`));
    await tx.execute(sql`insert into items values (2)`);
    throw new Error("changed its mind");
  });
  await expect(failed).rejects.toThrow("changed its mind");
  expect(await Promise.all(outside)).toEqual([[]]);
});

it("refuses statements once it has stopped", async () => {
  await database.close();
  const pglite = await startPglite(dataDir);
  await pglite.close();
  await pglite.close();
  await expect(pglite.send(new Uint8Array())).rejects.toThrow("the embedded database has stopped");
});
