import { and, asc, eq, inArray, not } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { orders } from "../db/schema/orders";
import { payments } from "../db/schema/payments";
import { ExchangeError } from "../errors";
import { advanceOrder } from "./advance-order";
import { undoFill } from "./fill";
import { getOwnerProblem, type OwnerProblem, ownerMaySwap } from "./owner-check";
import { withdrawPlanned } from "./plan-payments";
import { type HoldCause, notHeld, putOnHold } from "./put-on-hold";
import { endRefunding, refundOrder } from "./refund";
import { lockOrder, type OrderRow, transition } from "./transition";
import { mayHaveBeenMade } from "./unknown-payments";

const holdable = ["confirming", "needs_decision", "paying_out", "refunding"] as const;
type HoldableStatus = (typeof holdable)[number];

/**
 * Puts a funded order on hold. `releaseOrder` ends the hold; at its deadline the order is refunded.
 * @throws not_found, conflict if the order is not funded or a payment of it is prepared or sent
 */
export async function holdOrder(
  tx: Database,
  ctx: ExchangeContext,
  orderId: string,
  cause: HoldCause,
): Promise<OrderRow> {
  const order = await lockOrder(tx, orderId);
  if (order.status === "on_hold") return order;
  if (!isHoldable(order) || (await isPaymentUnderWay(tx, orderId))) throw new ExchangeError("conflict");
  const at = await ctx.clock.now(tx);
  return putOnHold(tx, ctx, order, { cause, at });
}

/**
 * Moves an order back to the status it was held from. While its owner may not swap, it can only be refunded. If its
 * last refund was made during the hold, it becomes `refunded`.
 * @throws not_found, conflict if it is not on hold, kyc_required if its owner may not swap
 */
export async function releaseOrder(tx: Database, ctx: ExchangeContext, orderId: string): Promise<OrderRow> {
  const order = await lockOrder(tx, orderId);
  const to = holdable.find((status) => status === order.heldFrom);
  if (order.status !== "on_hold" || !to) throw new ExchangeError("conflict");
  if (to !== "refunding" && (await getOwnerProblem(tx, order.accountId)) !== null) {
    throw new ExchangeError("kyc_required", {
      message: "The owner of this order is blocked or not verified: refund the order instead.",
    });
  }
  const at = await ctx.clock.now(tx);
  const released = await endHold(tx, order, { to, at });
  if (to === "confirming") await advanceOrder(tx, ctx, released, at);
  if (to === "refunding") return endRefunding(tx, ctx, released, at);
  return released;
}

/** Moves an order that is on hold back to a status that it may have been held from. `set` are further columns. */
export function endHold(
  tx: Database,
  order: OrderRow,
  { to, at, set }: { to: HoldableStatus; at: Date; set?: Partial<Pick<OrderRow, "decisionChoice" | "decidedBy">> },
): Promise<OrderRow> {
  return transition(tx, order, to, {
    kind: "released",
    at,
    set: { ...set, ...notHeld },
  });
}

/**
 * Ends a hold with a refund. A payout that was planned but not prepared is undone first.
 * @throws conflict if the wallet may have made the payout already, which an operator has to account for
 */
export async function refundHeldOrder(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  by: "clock" | "operator",
): Promise<OrderRow> {
  const at = await ctx.clock.now(tx);
  if (order.heldFrom === "paying_out") {
    const [planned] = await tx
      .select()
      .from(payments)
      .where(and(eq(payments.orderId, order.id), eq(payments.purpose, "payout"), eq(payments.status, "planned")));
    if (planned) {
      if (await mayHaveBeenMade(tx, planned.id)) throw new ExchangeError("conflict");
      await withdrawPlanned(tx, planned, { reason: "the order was refunded while on hold", at });
      await undoFill(tx, order, at);
    }
  }
  return refundOrder(tx, ctx, order, { by, at });
}

/** Holds every funded order of an account whose identity is not verified, except those with a payment under way. */
export async function holdUnverifiedOrders(tx: Database, ctx: ExchangeContext, accountId: string): Promise<void> {
  const rows = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), inArray(orders.status, [...holdable])))
    .orderBy(asc(orders.id))
    .for("update");
  for (const { id } of rows) {
    if (!(await isPaymentUnderWay(tx, id))) await holdOrder(tx, ctx, id, { problem: "unverified" });
  }
}

/** Releases the orders of an account that are held because its owner was not verified. Holds for other reasons remain. */
export function releaseVerifiedOrders(tx: Database, ctx: ExchangeContext, accountId: string): Promise<void> {
  return releaseOrdersOf(tx, ctx, { accountId, heldFor: "unverified" });
}

/** Releases the orders of an account that are held because of `heldFor`. Does nothing while its owner may not swap. */
export async function releaseOrdersOf(
  tx: Database,
  ctx: ExchangeContext,
  { accountId, heldFor }: { accountId: string; heldFor: OwnerProblem },
): Promise<void> {
  if ((await getOwnerProblem(tx, accountId)) !== null) return;
  const rows = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.status, "on_hold"), eq(orders.holdProblem, heldFor)))
    .orderBy(asc(orders.id))
    // All before the first is filled: a fill locks ledger accounts, and orders come before those.
    .for("update");
  for (const { id } of rows) await releaseOrder(tx, ctx, id);
}

/**
 * Job: holds orders whose payout is planned although their owner may no longer swap. The payment job
 * skips those payouts; the hold shows them to the owner and gives them a deadline.
 */
export async function holdOrdersOfBarredOwners(ctx: ExchangeContext): Promise<void> {
  const rows = await selectPayoutsOfBarredOwners(ctx.db).orderBy(asc(orders.id)).limit(100);
  for (const { id } of rows) {
    await ctx.db.transaction(async (tx) => {
      const order = await lockOrder(tx, id);
      const problem = await getOwnerProblem(tx, order.accountId);
      if (problem === null || order.status !== "paying_out" || (await isPaymentUnderWay(tx, id))) return;
      await putOnHold(tx, ctx, order, { cause: { problem }, at: await ctx.clock.now(tx) });
    });
  }
}

export const selectPayoutsOfBarredOwners = (db: Database) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(and(eq(orders.status, "paying_out"), not(ownerMaySwap)));

function isHoldable(order: OrderRow): boolean {
  return holdable.some((status) => status === order.status);
}

async function isPaymentUnderWay(tx: Database, orderId: string): Promise<boolean> {
  const [row] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(and(eq(payments.orderId, orderId), inArray(payments.status, ["prepared", "sent"])))
    .limit(1);
  return row !== undefined;
}
