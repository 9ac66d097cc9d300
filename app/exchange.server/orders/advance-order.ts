import type { DecisionReason } from "../../lib/order-states";
import type { Price } from "../../lib/price";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import type { OrderRow } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import { askForDecision } from "./decisions/ask-for-decision";
import { evaluate } from "./evaluate";
import { getDepositGroups } from "./held-deposits";
import { getOwnerProblem, isOwnerGone } from "./holds/owner-check";
import { putOnHold } from "./holds/put-on-hold";
import { priceAtLockedRate } from "./order-price";
import { paymentDeadline } from "./payment-deadline";
import { fillOrder } from "./payouts-and-refunds/fill";
import { refundOrder } from "./payouts-and-refunds/refund";
import { transition } from "./transition";

/** Evaluates the deposits of an order and acts on the result. The caller holds the order's lock. */
export async function advanceOrder(tx: Database, ctx: ExchangeContext, order: OrderRow, at: Date): Promise<void> {
  if (order.status === "expired" || order.status === "needs_decision") {
    // More money does not make the payout possible, so a refund remains the only choice.
    if (order.decisionReason === "payout_failed") return;
    await askOrRefund(tx, ctx, order, { reason: "late", at });
    return;
  }
  if (order.status !== "confirming") return;
  const verdict = evaluate(order, await getDepositGroups(tx, order.id, paymentDeadline(order)), ctx.config);
  switch (verdict.kind) {
    case "wait":
      return;
    case "no_deposit":
      await transition(tx, order, "awaiting_deposit", { kind: "deposit_reorged", at });
      return;
    case "fill": {
      const problem = await getOwnerProblem(tx, order.accountId);
      if (problem !== null && (await isOwnerGone(tx, order.accountId))) {
        await askOrRefund(tx, ctx, order, { reason: "payout_failed", at });
        return;
      }
      if (problem !== null) {
        await putOnHold(tx, ctx, order, { cause: { problem }, at });
        return;
      }
      const { price } = verdict;
      if (await fillIfCovered(tx, ctx, order, { price, at })) return;
      // The reserve was released earlier, and the treasury does not cover the payout. It may cover the quoted amount.
      if (price.sourceAmount > order.sourceAmount) {
        const quoted = priceAtLockedRate(order, order.sourceAmount, ctx.config);
        if (await fillIfCovered(tx, ctx, order, { price: quoted, at })) return;
      }
      await askForDecision(tx, ctx, order, { reason: "payout_failed", at });
      return;
    }
    case "decide":
      await askOrRefund(tx, ctx, order, { reason: verdict.reason, at });
  }
}

/** Fills an order at its locked rate. @returns false if our funds do not cover the payout, and nothing was posted */
async function fillIfCovered(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { price, at }: { price: Price; at: Date },
): Promise<boolean> {
  try {
    await fillOrder(tx, ctx, order, { price, at, reason: { rate: "locked" } });
    return true;
  } catch (error) {
    // One order must not stop the scan.
    if (error instanceof ExchangeError && error.code === "liquidity") return false;
    throw error;
  }
}

/** Asks the owner for a decision. An owner who has deleted the account cannot decide: the order is refunded at once. */
async function askOrRefund(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { reason, at }: { reason: DecisionReason; at: Date },
): Promise<void> {
  const asked = await askForDecision(tx, ctx, order, { reason, at });
  if (await isOwnerGone(tx, order.accountId)) await refundOrder(tx, ctx, asked, { by: "clock", at });
}
