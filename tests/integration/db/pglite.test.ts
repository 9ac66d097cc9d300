import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { queryRows } from "~/exchange.server/db/database";
import { type OpenDatabase, openPglite } from "~/exchange.server/db/open";
import { startPglite } from "~/exchange.server/db/pglite";
import { switches } from "~/exchange.server/db/schema/switches";
import { openTestDatabase } from "../../support/test-database";

const dataDir = mkdtempSync(join(tmpdir(), "antelope-pglite-"));
let database: OpenDatabase;
beforeAll(async () => {
  database = await openPglite(startPglite(dataDir));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it("keeps its files from other users, even in a directory that they could read", async () => {
  const directory = join(dataDir, "readable");
  mkdirSync(directory, { mode: 0o755 });
  for (const state of ["new", "used before"]) {
    chmodSync(directory, 0o755);
    await (await startPglite(directory)).close();
    expect(statSync(directory).mode & 0o777, state).toBe(0o700);
  }
});

it("creates its files again if that was interrupted, and continues if they were being moved", async () => {
  const directory = join(dataDir, "interrupted");
  mkdirSync(join(directory, "unfinished"), { recursive: true });
  // PGlite treats a directory with this file as a database.
  writeFileSync(join(directory, "unfinished", "PG_VERSION"), "18");
  await (await openPglite(startPglite(directory))).close();
  expect(readdirSync(directory)).not.toContain("unfinished");
  expect(statSync(directory).mode & 0o777, "its mode").toBe(0o700);
  const created = join(directory, "created");
  mkdirSync(created);
  for (const name of ["PG_VERSION", "base"]) renameSync(join(directory, name), join(created, name));
  await (await startPglite(directory)).close();
  expect(existsSync(created)).toBe(false);
});

it("keeps the directory itself, which may be a mount point", async () => {
  const directory = join(dataDir, "mounted");
  mkdirSync(join(directory, "lost+found"), { recursive: true });
  const { ino } = statSync(directory);
  await (await startPglite(directory)).close();
  expect(readdirSync(directory)).toEqual(expect.arrayContaining(["lost+found", "PG_VERSION"]));
  expect(statSync(directory).ino).toBe(ino);
});

it("does not touch other files", async () => {
  const directory = join(dataDir, "occupied");
  mkdirSync(join(directory, "base"), { recursive: true });
  const error: unknown = await startPglite(directory).catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/cannot be opened \(it is not empty, but has no file PG_VERSION\): .*DATA_DIR/);
  expect(readdirSync(directory)).toEqual(["base"]);
});

it("works in its own thread, so that the main thread can respond to requests in the meantime", async () => {
  const slow = queryRows<{ n: string }>(database.db, sql`select count(*)::text as n from generate_series(1, 2000000)`);
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
  expect(await queryRows(database.db, sql`select id from things`)).toEqual([{ id: 1 }]);
});

it("runs named statements again after one was refused, even though the pool then uses another client", async () => {
  const read = () => database.db.select({ name: switches.name }).from(switches).prepare("named").execute();
  expect(await read()).toEqual([]);
  await expect(database.db.execute(sql`select 1 / 0`)).rejects.toThrow();
  expect(await read()).toEqual([]);
});

it("replans named statements that were planned while a table was small", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { db, close } = await openTestDatabase("PGlite");
  const readPlan = async () => JSON.stringify(await queryRows(db, sql`explain execute by_name('a')`));
  try {
    await db.execute(sql`create table names (name text primary key)`);
    await db.execute(sql`insert into names values ('a')`);
    await db.execute(sql`analyze names`);
    await db.execute(sql`prepare by_name(text) as select * from names where name = $1`);
    // PostgreSQL keeps a plan after five executions.
    for (let i = 0; i < 6; i += 1) await db.execute(sql`execute by_name('a')`);
    await db.execute(sql`insert into names select n::text from generate_series(1, 20000) as n`);
    expect(await readPlan()).toContain("Seq Scan");
    vi.advanceTimersByTime(60_000);
    expect(await readPlan()).toContain("Index");
  } finally {
    await close();
    vi.useRealTimers();
  }
});

it("keeps a transaction apart from statements sent in the meantime, and undoes it when it fails", async () => {
  await database.db.execute(sql`create table items (id int primary key)`);
  const outside: Promise<unknown>[] = [];
  const failed = database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into items values (1)`);
    outside.push(queryRows(database.db, sql`select id from items`));
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
