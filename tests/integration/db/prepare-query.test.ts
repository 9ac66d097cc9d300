import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { prepareQuery } from "~/exchange.server/db/prepare-query";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { switches } from "~/exchange.server/db/schema/switches";
import { openTestDatabase, testDatabases } from "../../support/test-database";

let builds = 0;
const selectChain = prepareQuery("tests_chain", { asset: chainStates.asset, since: switches.since }, (db, values) => {
  builds += 1;
  return db
    .select({ asset: chainStates.asset, spendable: chainStates.spendable, switch: switches })
    .from(chainStates)
    .leftJoin(switches, sql`${eq(switches.name, "swaps")} and ${switches.since} > ${values.since}`)
    .where(eq(chainStates.asset, values.asset));
});

const selectChains = prepareQuery("tests_chains", { assets: sql<string[]>`text[]` }, (db, { assets }) =>
  db
    .select({ asset: chainStates.asset, given: sql<string[]>`${assets}::text[]` })
    .from(chainStates)
    .where(sql`${chainStates.asset} = any(${assets})`),
);

describe.each(testDatabases)("a prepared query on %s", (kind) => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(kind);
  });
  afterAll(() => database?.close());

  it("is built once, and reads with each call's values, in and outside a transaction", async () => {
    const { db } = database;
    const since = new Date("2026-01-02T03:04:05.678Z");
    await db.insert(chainStates).values({ asset: "USDT", synced: true, spendable: 10n ** 20n });
    await db.insert(switches).values({ name: "swaps", cause: "A test.", reason: "A test.", since });
    const before = new Date(since.getTime() - 1);
    const found = {
      asset: "USDT",
      spendable: 10n ** 20n,
      switch: { name: "swaps", cause: "A test.", reason: "A test.", since },
    };
    expect(await selectChain(db, { asset: "USDT", since: before })).toMatchObject([found]);
    expect(await selectChain(db, { asset: "MOB", since: before })).toEqual([]);
    // A group is null when the join finds no row.
    expect(await selectChain(db, { asset: "USDT", since: since })).toEqual([{ ...found, switch: null }]);
    await db.transaction(async (tx) => {
      await tx.update(chainStates).set({ spendable: 5n });
      expect(await selectChain(tx, { asset: "USDT", since: before })).toMatchObject([{ spendable: 5n }]);
    });
    expect(builds).toBe(1);
  });

  it("sends a list of values", async () => {
    const { db } = database;
    const assets = ["USDT", "it's", '"', "a,b", "{}", ""];
    expect(await selectChains(db, { assets })).toEqual([{ asset: "USDT", given: assets }]);
    expect(await selectChains(db, { assets: [] })).toEqual([]);
  });
});
