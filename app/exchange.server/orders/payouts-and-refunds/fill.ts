import { and, eq } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import type { Price } from "../../../lib/price";
import { clearAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import { type PaymentRow, payments } from "../../db/schema/payments";
import { ExchangeError } from "../../errors";
import { returnFees } from "../../ledger/fee-postings";
import {
  fees,
  getBalance,
  heldFor,
  InsufficientBalanceError,
  payableTo,
  post,
  reservedFor,
  type Transfer,
  treasury,
} from "../../ledger/ledger";
import { deleteOffer } from "../../pricing/quotes";
import { toLiquidityError } from "../liquidity";
import type { FillReason } from "../order-event";
import { toReserveAmount } from "../order-price";
import { dropProgressMail } from "../owner-mails/notify-owner";
import { transition } from "../transition";
import { mayHaveBeenMade } from "./may-have-been-made";
import { planPayment, withdrawPlanned } from "./plan-payments";
import { planRefund } from "./plan-refund";

/**
 * Moves an order to `paying_out`: posts the swap and its fee, plans the payout, and plans the refund of
 * everything that is held beyond the fill.
 * @param fill.reason why the order is filled, for the event log. A decision by the owner is also stored in the order
 * @throws liquidity if we cannot cover the payout; nothing is posted then. An order that still has
 *   its reserve is always covered.
 */
export async function fillOrder(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  fill: { price: Price; at: Date; reason: FillReason },
): Promise<OrderRow> {
  const { price, at } = fill;
  // Before the ledger accounts are locked: transactions lock quotes first.
  await deleteOffer(tx, order.offerQuoteId);
  await ensureReserve(tx, order, price.targetAmount, at);
  const reserved = await getBalance(tx, order.targetAsset, reservedFor(order.id));
  await post(tx, { transfers: toFillTransfers(order, price, reserved), orderId: order.id, at });
  // Ends the alert about a refund that failed at the deadline.
  if (order.decisionDeadline !== null) await clearAlert(tx, `order:${order.id}`);
  const filled = await transition(tx, order, "paying_out", {
    kind: "filled",
    data: { ...fill.reason, source: price.sourceAmount.toString(), target: price.targetAmount.toString() },
    at,
    set: {
      filledSource: price.sourceAmount,
      filledTarget: price.targetAmount,
      filledFee: price.feeAmount,
      filledRate: price.rate,
      decisionReason: null,
      decisionDeadline: null,
      ...toDecisionColumns(fill.reason),
    },
  });
  await planPayment(tx, ctx, {
    order,
    purpose: "payout",
    asset: order.targetAsset,
    grossAmount: price.targetAmount,
    amount: price.targetAmount,
    address: order.deliveryAddress,
    prepareAfter: order.payoutNotBefore,
    at,
  });
  await planRefund(tx, ctx, filled, at);
  await dropProgressMail(tx, ctx, order.id);
  return filled;
}

/** What the order records of its owner's decision. */
function toDecisionColumns(reason: FillReason) {
  if (!("choice" in reason)) return { offerQuoteId: null };
  const offerQuoteId = reason.choice === "requote" ? reason.quote : null;
  return { decisionChoice: reason.choice, decidedBy: "user" as const, offerQuoteId };
}

/**
 * Reverses a fill whose payout will never be sent, with new transfers. The caller marks the payment
 * as failed and moves the order on.
 */
export async function undoFill(tx: Database, order: OrderRow, at: Date): Promise<void> {
  await returnFees(tx, { transfers: toUndoneFill(order), orderId: order.id, at });
}

/** The payout of an order, while it is planned. */
export async function getPlannedPayout(tx: Database, orderId: string): Promise<PaymentRow | null> {
  const [payout] = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), eq(payments.purpose, "payout"), eq(payments.status, "planned")));
  return payout ?? null;
}

/**
 * Withdraws the planned payout of an order, and reverses its fill. The caller moves the order on.
 * @throws conflict if the wallet may have made the payout already, which an operator has to account for;
 *   InsufficientBalanceError
 */
export async function withdrawPayout(
  tx: Database,
  order: OrderRow,
  payout: PaymentRow,
  { reason, at }: { reason: string; at: Date },
): Promise<void> {
  if (await mayHaveBeenMade(tx, payout.id)) throw new ExchangeError("conflict");
  await withdrawPlanned(tx, payout, { reason, at });
  await undoFill(tx, order, at);
}

/** The transfers of a fill. What remains of the order's reserve (`reserved`, in base units) returns to the treasury. */
function toFillTransfers({ id, sourceAsset, targetAsset }: OrderRow, price: Price, reserved: bigint): Transfer[] {
  const { sourceAmount, targetAmount, feeAmount } = price;
  const [held, reserve] = [heldFor(id), reservedFor(id)];
  return [
    { asset: sourceAsset, from: held, to: treasury, amount: sourceAmount - feeAmount, kind: "swap_in" },
    { asset: sourceAsset, from: held, to: fees, amount: feeAmount, kind: "swap_fee" },
    { asset: targetAsset, from: reserve, to: payableTo(id), amount: targetAmount, kind: "swap_out" },
    { asset: targetAsset, from: reserve, to: treasury, amount: reserved - targetAmount, kind: "release" },
  ];
}

/** The transfers that reverse the fill of an order; none if it was not filled. */
export function toUndoneFill(order: OrderRow): Transfer[] {
  const { sourceAsset, targetAsset, filledSource, filledTarget, filledFee } = order;
  if (filledSource === null || filledTarget === null || filledFee === null) return [];
  const [held, kind] = [heldFor(order.id), "swap_undone"] as const;
  return [
    { asset: targetAsset, from: payableTo(order.id), to: treasury, amount: filledTarget, kind },
    { asset: sourceAsset, from: treasury, to: held, amount: filledSource - filledFee, kind },
    { asset: sourceAsset, from: fees, to: held, amount: filledFee, kind },
  ];
}

async function ensureReserve(tx: Database, order: OrderRow, amount: bigint, at: Date): Promise<void> {
  const reserved = await getBalance(tx, order.targetAsset, reservedFor(order.id));
  if (reserved >= amount) return;
  const missing = amount - reserved;
  const { targetAsset: asset } = order;
  const transfers: Transfer[] = [
    { asset, from: treasury, to: reservedFor(order.id), amount: missing, kind: "reserve" },
  ];
  try {
    // In a savepoint: a caller that catches the error can continue the transaction.
    await tx.transaction((savepoint) => post(savepoint, { transfers, orderId: order.id, at }));
  } catch (error) {
    if (error instanceof InsufficientBalanceError) throw toLiquidityError();
    throw error;
  }
}

/**
 * Reserves the payout of an order again after its reserve was released or spent: with the tolerance or, if funds are too
 * low for that, the quoted payout. If they are too low for both, it reserves nothing: `advanceOrder` tries again to fill
 * the order, and asks the owner if that fails.
 */
export async function retakeReserve(tx: Database, ctx: ExchangeContext, order: OrderRow, at: Date): Promise<void> {
  for (const amount of [toReserveAmount(order, ctx.config), order.targetAmount]) {
    try {
      return await ensureReserve(tx, order, amount, at);
    } catch (error) {
      if (!(error instanceof ExchangeError && error.code === "liquidity")) throw error;
    }
  }
  ctx.log.warn({ order: order.id }, "there are not enough funds to reserve a payout again");
}

/** Returns the reserve of an order to the treasury, if it has one. */
export async function releaseReserve(
  tx: Database,
  order: { id: string; targetAsset: AssetSymbol },
  at: Date,
): Promise<void> {
  const amount = await getBalance(tx, order.targetAsset, reservedFor(order.id));
  await post(tx, {
    transfers: [{ asset: order.targetAsset, from: reservedFor(order.id), to: treasury, amount, kind: "release" }],
    orderId: order.id,
    at,
  });
}
