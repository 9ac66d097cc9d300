import { readFileSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { unknownPayments } from "~/exchange.server/db/schema/history";
import { orders } from "~/exchange.server/db/schema/orders";
import { holdOrder } from "~/exchange.server/orders/holds/hold";
import { parkPayment } from "~/exchange.server/payments/parked/park";
import { forAllTests } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

/** The statements of the migration that fill the columns for orders and payments of earlier versions. */
const updates = readFileSync("app/exchange.server/db/migrations/0032_hold_problems.sql", "utf8")
  .split("--> statement-breakpoint")
  .filter((statement) => statement.trim().startsWith("UPDATE"));

const w = forAllTests(createPaymentsHarness);

const deposit = async () => {
  const user = await w.createUser();
  const order = await w.lock(user, "USDT", "100");
  w.usdt.deposit(order.fundingAddress, 60_000_000n);
  await w.settle();
  return order;
};

it.each([
  ["Your identity verification was withdrawn.", "unverified"],
  ["Your account can't be used for swaps at the moment.", "blocked"],
  ["A check.", null],
])("finds why orders of earlier versions are on hold: %s", async (reason, problem) => {
  const order = await deposit();
  await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order.id, { reason }));
  for (const update of updates) await w.ctx.db.execute(sql.raw(update));
  const rows = await w.ctx.db.select().from(orders).where(eq(orders.id, order.id));
  expect(rows.map(({ holdProblem }) => holdProblem)).toEqual([problem]);
});

it.each([
  [
    'Our wallet may have made it already (0xabc). If so, run "operate mark-paid p1 0xabc"; if not, "operate accept-payment 0xabc", then retry it.',
    "0xabc",
  ],
  [
    'Our wallet may have paid out its order already (0xabc). If so, run "operate mark-paid-out o1 0xabc"; if not, "operate accept-payment 0xabc", then retry it.',
    "0xabc",
  ],
  [
    'Our wallet may have refunded its order already (0xabc). If so, run "operate refund o1" and book the refund with "operate mark-paid"; if not, "operate accept-payment 0xabc", then retry it.',
    "0xabc",
  ],
  ["it cannot be sent (no node responds).", null],
])("finds the unknown payment for which an earlier version has parked a payment: %s", async (reason, hash) => {
  await w.ctx.db
    .insert(unknownPayments)
    .values({ asset: "MOB", hash: "0xabc", address: "somebody", amount: 1n, foundAt: new Date() })
    .onConflictDoNothing();
  const order = await w.planPayout("MOB");
  for (const payment of await w.queryRows(order)) await parkPayment(w.ctx, payment, { reason, action: "" });
  for (const update of updates) await w.ctx.db.execute(sql.raw(update));
  expect((await w.queryRows(order)).map(({ mayDuplicate }) => mayDuplicate)).toEqual([hash]);
});
