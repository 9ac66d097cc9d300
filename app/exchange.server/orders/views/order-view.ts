import { inArray } from "drizzle-orm";
import type { Decision, Order } from "../../../api/contract";
import { formatAmount, formatDecimal, RATE_DECIMALS } from "../../../lib/money";
import { isFinal } from "../../../lib/order-states";
import { type PriceTerms, toPrice } from "../../../lib/price";
import type { ExchangeContext } from "../../context";
import type { OrderRow } from "../../db/schema/orders";
import { type QuoteRow, quotes } from "../../db/schema/quotes";
import { invariant } from "../../errors";
import { estimateRefundCost } from "../../pricing/payment-costs";
import { toQuote } from "../../pricing/quotes";
import { getLatestRate } from "../../pricing/rates";
import { getOfferPauseReason } from "../../pricing/swap-acceptance";
import { toSwapTerms } from "../../swap-terms";
import { allowedDecisions } from "../decisions/allowed-decisions";
import { getHeldAmount } from "../held-deposits";
import { toOrderPair, toQuotedTerms } from "../order-price";
import { getMovements, noMovements, type OrderWithMovements } from "./movements";

/** Converts orders to their API representation, in the given order. */
export async function toOrders(ctx: ExchangeContext, rows: OrderWithMovements[]): Promise<Order[]> {
  const now = await ctx.clock.now(ctx.db);
  const offers = await getOffers(ctx, rows);
  const views: Order[] = [];
  for (const row of rows) {
    views.push(toView(row, await toDecision(ctx, row, offers, now)));
  }
  return views;
}

/** Converts an order that was just created. Nothing has moved yet, so nothing is read. */
export function toNewOrder(row: OrderRow): Order {
  return toView({ ...row, movements: noMovements }, null);
}

function toView({ movements: moved, ...row }: OrderWithMovements, decision: Decision | null): Order {
  return {
    ...toTerms(row),
    received_amount: formatAmount(moved.received, row.sourceAsset),
    set_aside_amount: formatAmount(moved.setAside, row.sourceAsset),
    incoming_count: moved.incomingCount,
    received_count: moved.receivedCount,
    decision,
    incoming_txs: moved.incoming,
    outgoing_txs: moved.outgoing,
    finished_at: isFinal(row.status) ? (moved.inStatusSince?.toISOString() ?? null) : null,
  };
}

/** Converts one order to its API representation. Reads its movements unless the row has them. */
export async function toOrder(ctx: ExchangeContext, row: OrderRow | OrderWithMovements): Promise<Order> {
  const complete = "movements" in row ? row : { ...row, movements: await getMovements(ctx.db, row.id) };
  const [order] = await toOrders(ctx, [complete]);
  invariant(order, "one row gives one order");
  return order;
}

/** Amounts come from the fill once the order is filled, and from the quote until then. */
function toTerms(
  row: OrderRow,
): Omit<
  Order,
  | "decision"
  | "received_amount"
  | "set_aside_amount"
  | "incoming_count"
  | "received_count"
  | "incoming_txs"
  | "outgoing_txs"
  | "finished_at"
> {
  const source = row.sourceAsset;
  const target = row.targetAsset;
  const terms = toSwapTerms(row);
  return {
    id: row.id,
    quote_id: row.quoteId,
    status: row.status,
    source_asset_symbol: source,
    target_asset_symbol: target,
    source_amount: formatAmount(terms.source, source),
    target_amount: formatAmount(terms.target, target),
    fee_amount: formatAmount(terms.fee, source),
    fee_asset_symbol: source,
    exchange_rate: formatDecimal(terms.rate, RATE_DECIMALS),
    delivery_address: row.deliveryAddress,
    refund_address: row.refundAddress,
    funding_address: row.fundingAddress,
    expires_at: row.expiresAt.toISOString(),
    hold:
      row.status === "on_hold" && row.holdReason !== null && row.holdDeadline !== null
        ? { reason: row.holdReason, deadline: row.holdDeadline.toISOString() }
        : null,
    payout_not_before: row.payoutNotBefore?.toISOString() ?? null,
    tracked_since: row.trackedSince?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

async function toDecision(
  ctx: ExchangeContext,
  row: OrderRow,
  offers: Map<number, QuoteRow>,
  now: Date,
): Promise<Decision | null> {
  if (row.status !== "needs_decision" || row.decisionReason === null || row.decisionDeadline === null) return null;
  const received = await getHeldAmount(ctx.db, row);
  // While no new prices are offered, `requote` is not a choice.
  const pauseReason = await getOfferPauseReason(ctx.db, { target: row.targetAsset, at: now });
  const latest = pauseReason === null ? await getLatestRate(ctx.db) : null;
  const refundCost = await estimateRefundCost(ctx.db, ctx, { asset: row.sourceAsset, at: now });
  const offer = row.offerQuoteId === null ? undefined : offers.get(row.offerQuoteId);
  const choices = allowedDecisions(row, { received, prices: latest, terms: ctx.config, now });
  return {
    reason: row.decisionReason,
    deadline: row.decisionDeadline.toISOString(),
    choices,
    amount: formatAmount(received, row.sourceAsset),
    refund_cost: formatAmount(refundCost, row.sourceAsset),
    accept: choices.includes("accept") ? toAccept(row, received, ctx.config) : null,
    offer: offer && offer.status === "open" && offer.expiresAt > now ? toQuote(offer, now) : null,
  };
}

/** What is paid out after `accept`. */
function toAccept(row: OrderRow, received: bigint, terms: PriceTerms): Decision["accept"] {
  const price = toPrice({ side: "source", amount: received }, toOrderPair(row), toQuotedTerms(row, terms));
  return {
    target_amount: formatAmount(price.targetAmount, row.targetAsset),
    fee_amount: formatAmount(price.feeAmount, row.sourceAsset),
  };
}

async function getOffers(ctx: ExchangeContext, rows: OrderRow[]): Promise<Map<number, QuoteRow>> {
  const ids = rows.flatMap((row) =>
    row.status === "needs_decision" && row.offerQuoteId !== null ? [row.offerQuoteId] : [],
  );
  if (ids.length === 0) return new Map();
  const found = await ctx.db.select().from(quotes).where(inArray(quotes.id, ids));
  return new Map(found.map((quote) => [quote.id, quote]));
}
