import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { createClock } from "~/exchange.server/db/clock";
import { rowsOf } from "~/exchange.server/db/database";
import { openPostgres } from "~/exchange.server/db/open";
import { createEmptyPostgres } from "../../support/postgres";
import { openNewDatabase, testDatabases } from "../../support/test-database";

describe.each(testDatabases)("a database of kind %s", (kind) => {
  it("is migrated, reads the time, and refuses to change its ledger (T58)", async () => {
    const database = await openNewDatabase(kind);
    const now = await createClock().now(database.db);
    expect(Math.abs(now.getTime() - Date.now())).toBeLessThan(5_000);
    await database.db.execute(
      sql`insert into ledger_transfers (asset, from_code, to_code, amount, kind, link_id, at) values ('USDT', 'external', 'treasury', 5, 'float', 'x', now())`,
    );
    for (const attempt of [
      sql`update ledger_transfers set amount = 6`,
      sql`delete from ledger_transfers`,
      sql`truncate ledger_transfers`,
    ]) {
      await expect(database.db.execute(attempt)).rejects.toThrow();
    }
    expect(await rowsOf(database.db, sql`select amount::text as amount from ledger_transfers`)).toEqual([
      { amount: "5" },
    ]);
    await database.close();
  });
});

describe("a new PostgreSQL database", () => {
  it("can be opened by several processes at the same time", async () => {
    const url = await createEmptyPostgres();
    const opened = await Promise.all([1, 2, 3, 4].map(() => openPostgres(url, { poolSize: 2 })));
    await Promise.all(opened.map((database) => database.close()));
  });
});
