import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { createTestContext } from "../../support/context";
import { openTestDatabase } from "../../support/test-database";

it("an operator is alerted while the books cannot be checked for five minutes", async () => {
  const database = await openTestDatabase("PostgreSQL");
  const { ctx, advance } = createTestContext(database);
  const check = createJobs(ctx).find(({ name }) => name === "check-books");
  const listSubjects = async () => (await listAlerts(ctx.db)).map(({ subject }) => subject);

  await ctx.db.execute(sql`alter table ledger_transfers rename to hidden_transfers`);
  await expect(check?.run()).rejects.toThrow();
  for (const ms of [200_000, 95_000]) {
    advance(ms);
    await expect(check?.run()).rejects.toThrow();
    expect(await listSubjects()).toEqual([]);
  }
  advance(10_000);
  await expect(check?.run()).rejects.toThrow();
  expect(await listSubjects()).toEqual(["books:unchecked"]);

  await ctx.db.execute(sql`alter table hidden_transfers rename to ledger_transfers`);
  await check?.run();
  expect(await listSubjects()).toEqual([]);
  await database.close();
});
