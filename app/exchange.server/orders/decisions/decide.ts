import type { DecisionRequest } from "../../../api/contract";
import type { OrderStatus } from "../../../lib/order-states";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import type { QuoteRow } from "../../db/schema/quotes";
import { type ErrorCode, ExchangeError } from "../../errors";
import { closeQuote, getOwnQuote, toQuote } from "../../pricing/quotes";
import { requireOffersPossible } from "../../pricing/swap-acceptance";
import { lockSwitches } from "../../switches/switches";
import { getHeldAmount } from "../held-deposits";
import { requireOwnerMaySwap } from "../holds/owner-check";
import { readLiquidity, requireCovered } from "../liquidity";
import { priceAtLockedRate } from "../order-price";
import { getOwnOrder } from "../own-order";
import { paymentDeadline } from "../payment-deadline";
import { fillOrder } from "../payouts-and-refunds/fill";
import { refundOrder } from "../payouts-and-refunds/refund";
import { lockOrderRow } from "../transition";
import { allowedDecisions } from "./allowed-decisions";
import { getOrMakeOffer } from "./offers";

/**
 * Carries out the owner's decision. Repeating the same decision returns the order unchanged.
 * @throws not_found, already_decided, conflict, kyc_required, user_inactive, swaps_stopped,
 *   liquidity, offer_expired (with the new offer in `extra`)
 */
export async function decide(
  ctx: ExchangeContext,
  accountId: string,
  orderId: string,
  request: DecisionRequest,
): Promise<OrderRow> {
  await getOwnOrder(ctx.db, accountId, orderId);
  const decided = ctx.db.transaction(async (tx) => {
    if (request.choice === "requote") await lockSwitches(tx);
    const order = await lockOrderRow(tx, orderId);
    if (order.status !== "needs_decision") return { order: requireSameDecision(order, request) };
    if (request.choice !== "refund") await requireOwnerMaySwap(tx, accountId);
    const at = await ctx.clock.now(tx);
    switch (request.choice) {
      case "refund":
        return { order: await refundOrder(tx, ctx, order, { by: "user", at }) };
      case "accept":
        return { order: await acceptReceived(tx, ctx, order, at) };
      case "requote":
        return requote(tx, ctx, order, { quoteId: request.quote_id, at });
    }
  });
  const outcome = await decided.catch((error: unknown) => {
    throw toDecisionError(error);
  });
  if ("newOffer" in outcome) {
    const now = await ctx.clock.now(ctx.db);
    throw new ExchangeError("offer_expired", {
      extra: { offer: outcome.newOffer ? toQuote(outcome.newOffer, now) : null },
    });
  }
  return outcome.order;
}

/** Messages for someone who has paid already: the usual ones are about a swap that has not begun. */
const refusals: { [Code in ErrorCode]?: string } = {
  liquidity: "We can't cover this swap right now. Try again later, or get your money back.",
  swaps_stopped: "New prices are paused right now. Your money is safe: try again later, or get it back.",
};

function toDecisionError(error: unknown): unknown {
  const message = error instanceof ExchangeError ? refusals[error.code] : undefined;
  if (!(error instanceof ExchangeError) || message === undefined) return error;
  const { retryAfterSeconds, extra } = error;
  return new ExchangeError(error.code, {
    message,
    cause: error,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(extra !== undefined && { extra }),
  });
}

/** The statuses in which there is nothing to decide, because the order holds nothing. */
const statesWithoutDecision: readonly OrderStatus[] = ["awaiting_deposit", "expired", "cancelled"];

function requireSameDecision(order: OrderRow, request: DecisionRequest): OrderRow {
  const sameQuote = request.choice !== "requote" || order.offerQuoteId === request.quote_id;
  if (order.decisionChoice === request.choice && order.decidedBy === "user" && sameQuote) return order;
  if (order.decisionChoice) throw new ExchangeError("already_decided");
  // In other statuses, the decision may be on hold, or may have been open a moment ago.
  const message = statesWithoutDecision.includes(order.status) ? "This swap doesn't need a decision." : undefined;
  throw new ExchangeError("conflict", { message });
}

/**
 * Fills an underpaid order with what was received, at its locked rate. That rate was promised at the
 * lock, so it also applies while new swaps are stopped.
 */
async function acceptReceived(tx: Database, ctx: ExchangeContext, order: OrderRow, at: Date): Promise<OrderRow> {
  const received = await getHeldAmount(tx, order);
  const choices = allowedDecisions(order, { received, prices: null, terms: ctx.config, now: at });
  if (!choices.includes("accept")) {
    throw new ExchangeError("conflict", { message: toRefusedMessage(order, at) });
  }
  const price = priceAtLockedRate(order, received, ctx.config);
  return fillOrder(tx, ctx, order, { price, at, reason: { choice: "accept" } });
}

/** Why what was received can't be swapped at the locked rate. */
function toRefusedMessage({ decisionReason, ...order }: OrderRow, at: Date): string {
  if (decisionReason === "payout_failed") return "The payout of this swap has failed. Choose a refund.";
  if (at > paymentDeadline(order)) return "The locked price no longer applies: the time to pay has ended.";
  if (decisionReason === "late") return "The locked price no longer applies: the payment came too late.";
  if (decisionReason === "underpaid")
    return "This doesn't cover the fee of the swap. Send the rest, or choose a refund.";
  return "This is less than the smallest swap. Send the rest, or choose a refund.";
}

/**
 * Fills an order at the price of an offer, or returns a new offer if that one is no longer valid. The offer's rate
 * becomes a promise only when the offer is accepted, so it is refused while new swaps are switched off, while our wallet
 * cannot pay it, and if paying it would use what other orders have reserved (T60).
 */
async function requote(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { quoteId, at }: { quoteId: number; at: Date },
): Promise<{ order: OrderRow } | { newOffer: QuoteRow | null }> {
  const received = await getHeldAmount(tx, order);
  // An order has one offer at a time. A request that names any other quote gets the current offer.
  const offer = quoteId === order.offerQuoteId ? await getOwnQuote(tx, order.accountId, quoteId, { lock: true }) : null;
  await requireOffersPossible(tx, { target: order.targetAsset, at });
  const isValid = offer?.status === "open" && offer.expiresAt > at && offer.sourceAmount === received;
  if (!isValid) return { newOffer: await getOrMakeOffer(tx, ctx, order) };
  await closeQuote(tx, offer.id, "used", at);
  const { sourceAmount, feeAmount, targetAmount, rate } = offer;
  const filled = await fillOrder(tx, ctx, order, {
    price: { sourceAmount, feeAmount, targetAmount, rate },
    at,
    reason: { choice: "requote", quote: offer.id },
  });
  // Checked after posting, which locks the treasury's row, so that other promises are checked either before or after
  // this one.
  requireCovered(await readLiquidity(tx, order.targetAsset, order.accountId), targetAmount);
  return { order: filled };
}
