import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { acceptancePeriods } from "~/exchange.server/db/schema/acceptance";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

let database: OpenDatabase;
let w: OrdersHarness;
beforeAll(async () => {
  database = await openTestDatabase("PGlite");
  w = await createOrdersHarness(database);
});
afterAll(() => database.close());

it("whether new swaps are accepted is recorded even while a step of orders fails", async () => {
  const run = (name: string) =>
    createJobs(w.ctx)
      .find((job) => job.name === name)
      ?.run();
  const { db } = w.ctx;
  await w.quote(await w.createUser(), "USDT", "100");
  w.wait(61_000);
  await db.execute(sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused'; end $$`);
  await db.execute(sql`create trigger refuse before update on quotes for each row execute function refuse()`);
  await expect(run("due-steps")).rejects.toThrow();
  expect(await db.$count(acceptancePeriods)).toBe(0);
  await run("record-acceptance");
  expect(await db.$count(acceptancePeriods)).toBe(1);
});
