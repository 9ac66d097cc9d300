import { eq, sql } from "drizzle-orm";
import pino from "pino";
import { expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { ledgerAccounts } from "~/exchange.server/db/schema/ledger";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { treasury } from "~/exchange.server/ledger/ledger";
import { getOffReason, switchOff } from "~/exchange.server/switches/switches";
import { createOrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

it("books that do not balance stop payments and alert an operator once, even while payments are off, until they do", async () => {
  const lines: unknown[] = [];
  const log = pino({ level: "fatal" }, { write: (line) => lines.push(JSON.parse(line)) });
  const database = await openTestDatabase("PostgreSQL");
  const { ctx } = await createOrdersHarness(database, { log });
  const { db } = ctx;
  const startProcess = () => {
    const job = createJobs(ctx).find(({ name }) => name === "check-books");
    if (!job) throw new Error("no job");
    return job;
  };
  const checkBooks = startProcess();
  await checkBooks.run();
  await switchOff(db, "payments", { reason: "Upgrade tonight.", at: await ctx.clock.now(db) });
  const addToTreasury = (amount: number) =>
    db
      .update(ledgerAccounts)
      .set({ balance: sql`${ledgerAccounts.balance} + ${amount}` })
      .where(eq(ledgerAccounts.code, treasury));
  await addToTreasury(1);
  for (const process of [checkBooks, startProcess(), checkBooks]) await process.run();
  const reason = expect.stringMatching(/^The books do not balance: /);
  const action = expect.stringMatching(/^Run "operate books"/);
  expect(await listAlerts(db)).toMatchObject([{ subject: "books", reason, action }]);
  expect(await getOffReason(db, "payments")).toMatch(/^Upgrade tonight\. The books do not balance: /);
  expect(lines).toHaveLength(1);

  await addToTreasury(-1);
  await checkBooks.run();
  expect(await listAlerts(db)).toEqual([]);
  expect(await getOffReason(db, "payments"), "an operator switches them on").toContain("The books do not balance");
  await database.close();
});
