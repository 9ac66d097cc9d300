import { and, eq } from "drizzle-orm";
import type { DecisionRequest } from "../../api/contract";
import type { DecisionChoice, DecisionReason } from "../../lib/order-states";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import { isWithinLimits, priceOfSource, rateOf } from "../quotes/price";
import {
  getOwnQuote,
  insertQuote,
  lockQuoteRow,
  type QuoteRow,
  settleQuote,
  toQuote,
  voidOffers,
} from "../quotes/quotes";
import { requireRate } from "../rates/rates";
import { lastMoment } from "./evaluate";
import { fillOrder, priceAtLockedRate, releaseReserve } from "./fill";
import { planRefund } from "./plan-payments";
import { getHeldDeposits, getOwnOrder, type HeldDeposit, hasOpenPayments } from "./queries";
import { orders } from "./tables";
import { tellDecisionNeeded } from "./tell-owner";
import { lockOrder, type OrderRow, recordEvent, transition } from "./transition";

type Trader = { accountId: string; mayTrade: boolean };

/** Takes an order to `needs_decision`, or adds to one that is there; the owner is told by mail. */
export async function askForDecision(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  reason: DecisionReason,
  at: Date,
): Promise<OrderRow> {
  await voidOffers(tx, order.id, at);
  const event = { kind: "decision_needed" as const, data: { reason }, at };
  if (order.status === "needs_decision") {
    return recordEvent(tx, order.id, event, { decisionReason: reason, offerQuoteId: null });
  }
  // An order that lost its rate needs no reserve at it.
  if (reason !== "underpaid" && reason !== "below_minimum") await releaseReserve(tx, order, at);
  const deadline = order.decisionDeadline ?? new Date(at.getTime() + x.config.decisionTtlMs);
  const asked = await transition(tx, order, "needs_decision", event, {
    decisionReason: reason,
    decisionDeadline: deadline,
    offerQuoteId: null,
  });
  await tellDecisionNeeded(tx, x, asked);
  return asked;
}

/**
 * What may be chosen now: the locked rate only for an underpaid order inside its window, a
 * new quote where what came is within the limits, a refund always. Pure.
 */
export function choicesOf(
  order: OrderRow,
  received: bigint,
  usdtPerMob: bigint | null,
  x: ExchangeContext,
  now: Date,
): DecisionChoice[] {
  if (order.status !== "needs_decision") return [];
  const inWindow = now <= lastMoment(order);
  if (order.decisionReason === "underpaid" && inWindow) return ["accept", "refund"];
  if (order.decisionReason === "payout_failed") return ["refund"];
  if (order.decisionReason === "below_minimum" && inWindow) return ["refund"];
  if (usdtPerMob === null) return ["refund"];
  const pair = { source: order.sourceAsset, target: order.targetAsset, rate: rateOf(order.sourceAsset, usdtPerMob) };
  return isWithinLimits(received, pair, x.config) ? ["requote", "refund"] : ["refund"];
}

/**
 * The offer of an order that may be requoted: the open one, or a fresh one of 60 seconds for
 * what came. Null where there is none to make.
 */
export async function refreshOffer(x: ExchangeContext, orderId: string): Promise<QuoteRow | null> {
  return x.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    return currentOffer(tx, x, order);
  });
}

async function currentOffer(tx: Database, x: ExchangeContext, order: OrderRow): Promise<QuoteRow | null> {
  const now = await x.clock.now(tx);
  if (order.offerQuoteId !== null) {
    const offer = await getOwnQuote(tx, order.accountId, order.offerQuoteId);
    if (offer.status === "open" && offer.expiresAt > now) return offer;
  }
  const latest = await requireRate(tx, x).catch(ignoreUnknownRate);
  const received = sumOf(await getHeldDeposits(tx, order.id));
  if (!latest || !choicesOf(order, received, latest.rate, x, now).includes("requote")) return null;
  const pair = { source: order.sourceAsset, target: order.targetAsset, rate: rateOf(order.sourceAsset, latest.rate) };
  await voidOffers(tx, order.id, now);
  const offer = await insertQuote(tx, x, {
    accountId: order.accountId,
    source: order.sourceAsset,
    target: order.targetAsset,
    price: priceOfSource(received, pair, x.config),
    offerForOrderId: order.id,
  });
  await recordEvent(
    tx,
    order.id,
    { kind: "offer_made", data: { quote: offer.id }, at: now },
    { offerQuoteId: offer.id },
  );
  return offer;
}

function ignoreUnknownRate(error: unknown): null {
  if (error instanceof ExchangeError && error.code === "rate_unknown") return null;
  throw error;
}

/**
 * The owner's decision. The same again is answered as before; another one, or one that came
 * too late, is a 409.
 * @throws not_found, already_decided, offer_expired (with the new offer), conflict, user_inactive, kyc_required
 */
export async function decide(
  x: ExchangeContext,
  trader: Trader,
  orderId: string,
  request: DecisionRequest,
): Promise<OrderRow> {
  await getOwnOrder(x.db, trader.accountId, orderId);
  const outcome = await x.db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order.status !== "needs_decision") return { order: repeated(order, request) };
    const at = await x.clock.now(tx);
    const held = await getHeldDeposits(tx, order.id);
    switch (request.choice) {
      case "refund":
        return { order: await refundOrder(tx, x, order, { by: "user", at }) };
      case "accept":
        return { order: await acceptWhatCame(tx, x, order, held, at) };
      case "requote":
        return requote(tx, x, order, held, request.quote_id, trader, at);
    }
  });
  if ("newOffer" in outcome) {
    const now = await x.clock.now(x.db);
    throw new ExchangeError("offer_expired", {
      extra: { offer: outcome.newOffer ? toQuote(outcome.newOffer, now) : null },
    });
  }
  return outcome.order;
}

function repeated(order: OrderRow, request: DecisionRequest): OrderRow {
  const sameQuote = request.choice !== "requote" || order.offerQuoteId === request.quote_id;
  if (order.decisionChoice === request.choice && order.decidedBy === "user" && sameQuote) return order;
  throw new ExchangeError(order.decisionChoice ? "already_decided" : "conflict");
}

async function acceptWhatCame(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  held: HeldDeposit[],
  at: Date,
): Promise<OrderRow> {
  const received = sumOf(held);
  if (!choicesOf(order, received, null, x, at).includes("accept")) {
    throw new ExchangeError("conflict", { message: "The locked rate can no longer be had: the time to pay is over." });
  }
  const filled = await fillOrder(tx, x, order, {
    price: priceAtLockedRate(order, received, x.config),
    deposits: held,
    at,
    by: { choice: "accept" },
  });
  return markDecided(tx, filled, "accept", null);
}

async function requote(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  held: HeldDeposit[],
  quoteId: number,
  trader: Trader,
  at: Date,
): Promise<{ order: OrderRow } | { newOffer: QuoteRow | null }> {
  if (!trader.mayTrade) throw new ExchangeError("kyc_required");
  const offer = await lockQuoteRow(tx, order.accountId, quoteId);
  if (offer.offerForOrderId !== order.id) throw new ExchangeError("not_found");
  const living = offer.status === "open" && offer.expiresAt > at && offer.sourceAmount === sumOf(held);
  if (!living) return { newOffer: await currentOffer(tx, x, order) };
  await settleQuote(tx, offer.id, "used", at);
  const price = {
    sourceAmount: offer.sourceAmount,
    feeAmount: offer.feeAmount,
    targetAmount: offer.targetAmount,
    rate: offer.rate,
  };
  const filled = await fillOrder(tx, x, order, {
    price,
    deposits: held,
    at,
    by: { choice: "requote", quote: offer.id },
  });
  return { order: await markDecided(tx, filled, "requote", offer.id) };
}

async function markDecided(
  tx: Database,
  order: OrderRow,
  choice: DecisionChoice,
  offerQuoteId: number | null,
): Promise<OrderRow> {
  const [row] = await tx
    .update(orders)
    .set({ decisionChoice: choice, decidedBy: "user", offerQuoteId })
    .where(and(eq(orders.id, order.id), eq(orders.status, "paying_out")))
    .returning();
  if (!row) throw new ExchangeError("conflict");
  return row;
}

/**
 * Sends back everything that is held for an order, deposit by deposit: the user's choice,
 * the deadline's default, or the end of a hold.
 */
export async function refundOrder(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  { by, at }: { by: "user" | "clock" | "operator"; at: Date },
): Promise<OrderRow> {
  await voidOffers(tx, order.id, at);
  await releaseReserve(tx, order, at);
  const refunding = await transition(
    tx,
    order,
    "refunding",
    { kind: "decided", data: { choice: "refund", by }, at },
    {
      decisionChoice: "refund",
      decidedBy: by,
      decisionReason: null,
      decisionDeadline: null,
      offerQuoteId: null,
      holdReason: null,
      heldFrom: null,
      holdDeadline: null,
    },
  );
  let planned = 0;
  for (const deposit of await getHeldDeposits(tx, order.id)) {
    if (await planRefund(tx, x, refunding, deposit, { amount: deposit.left, part: "all" }, at)) planned += 1;
  }
  // All of it below the refund's cost: there is nothing to wait for.
  if (planned === 0 && !(await hasOpenPayments(tx, order.id)))
    return transition(tx, refunding, "refunded", { kind: "refunded", data: { nothing_sent: true }, at });
  return refunding;
}

/** What is held of these deposits, in base units of their asset. */
export function sumOf(held: HeldDeposit[]): bigint {
  return held.reduce((sum, deposit) => sum + deposit.left, 0n);
}
