import { and, asc, eq, inArray, isNotNull, not, type SQL } from "drizzle-orm";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { accounts } from "../../db/schema/accounts";
import { orders } from "../../db/schema/orders";
import { isSignedPayment } from "../../db/schema/payments";
import { hasPayment } from "../queries";
import { runOrderStep } from "../run-order-step";
import { lockOrderRow } from "../transition";
import { holdable, holdOrder, releaseOrder } from "./hold";
import { getOwnerProblem, ownerMaySwap } from "./owner-check";
import { putOnHold } from "./put-on-hold";

/** Puts all funded orders of an account with an unverified identity on hold, except those with a signed payment. */
export async function holdUnverifiedOrders(tx: Database, ctx: ExchangeContext, accountId: string): Promise<void> {
  const rows = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), inArray(orders.status, [...holdable])))
    .orderBy(asc(orders.id))
    .for("update");
  for (const { id } of rows) {
    if (!(await hasPayment(tx, id, isSignedPayment))) await holdOrder(tx, ctx, id, { problem: "unverified" });
  }
}

/**
 * Job: holds orders whose payout is planned even though their owner may no longer swap. The payment job
 * skips those payouts; the hold shows them to the owner and gives them a deadline.
 */
export async function holdIneligibleOrders(ctx: ExchangeContext): Promise<void> {
  const rows = await selectIneligiblePayouts(ctx.db).orderBy(asc(orders.id)).limit(100);
  for (const { id } of rows) {
    await runOrderStep(
      ctx,
      { orderId: id, failure: "an order whose owner may not swap could not be put on hold" },
      () =>
        ctx.db.transaction(async (tx) => {
          const order = await lockOrderRow(tx, id);
          const problem = await getOwnerProblem(tx, order.accountId);
          if (problem === null || order.status !== "paying_out" || (await hasPayment(tx, id, isSignedPayment))) return;
          await putOnHold(tx, ctx, order, { cause: { problem }, at: await ctx.clock.now(tx) });
        }),
    );
  }
}

/**
 * Job: releases orders that are on hold because their owner could not swap, once the owner can: the identity is
 * approved and the account is not blocked. Orders that an operator has put on hold stay on hold.
 */
export async function releaseEligibleOrders(ctx: ExchangeContext): Promise<void> {
  const rows = await selectReleasable(ctx.db).orderBy(asc(orders.id)).limit(100);
  for (const { id } of rows) {
    await runOrderStep(ctx, { orderId: id, failure: "an order on hold could not be released" }, () =>
      ctx.db.transaction(async (tx) => {
        const order = await lockOrderRow(tx, id);
        if (order.status !== "on_hold" || order.holdProblem === null) return;
        if ((await getOwnerProblem(tx, order.accountId)) === null) await releaseOrder(tx, ctx, id);
      }),
    );
  }
}

const selectWithOwner = (db: Database, condition: SQL | undefined) =>
  db.select({ id: orders.id }).from(orders).innerJoin(accounts, eq(accounts.id, orders.accountId)).where(condition);

/** The orders that are on hold because their owner could not swap, and whose owner now can. */
export const selectReleasable = (db: Database) =>
  selectWithOwner(db, and(eq(orders.status, "on_hold"), isNotNull(orders.holdProblem), ownerMaySwap));

export const selectIneligiblePayouts = (db: Database) =>
  selectWithOwner(db, and(eq(orders.status, "paying_out"), not(ownerMaySwap)));
