import { toPrice, toQuotedRate } from "../../../lib/price";
import type { ExchangeContext } from "../../context";
import { getChainState } from "../../db/chain-state";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import type { QuoteRow } from "../../db/schema/quotes";
import { ExchangeError } from "../../errors";
import { getBalance, reservedFor } from "../../ledger/ledger";
import { toCost } from "../../pricing/payment-costs";
import { deleteOffer, getOwnQuote, insertOffer } from "../../pricing/quotes";
import { requireRate } from "../../pricing/rates";
import { getOfferPauseReason } from "../../pricing/swap-acceptance";
import { getHeldAmount } from "../held-deposits";
import { readLiquidity, requireCovered, withReserve } from "../liquidity";
import { toOrderPair } from "../order-price";
import { lockOrderRow, recordEvent, touchOrder } from "../transition";
import { allowedDecisions } from "./allowed-decisions";

/** Makes sure that an order with the choice `requote` has an open offer. @throws not_found */
export async function refreshOffer(ctx: ExchangeContext, orderId: string): Promise<QuoteRow | null> {
  return ctx.db.transaction(async (tx) => getOrMakeOffer(tx, ctx, await lockOrderRow(tx, orderId)));
}

/**
 * The open offer of a locked order, or a new quote for the received amount. Null if any of this is true: `requote` is
 * not a choice, swaps are switched off, our wallet cannot make a payout or could not be read recently, the amount does
 * not cover the cost of a payout, or our funds do not cover the payout (like any quote, an offer promises a price).
 *
 * A new offer replaces the last one, without an event: while someone watches the order, it gets a new offer every minute.
 */
export async function getOrMakeOffer(tx: Database, ctx: ExchangeContext, order: OrderRow): Promise<QuoteRow | null> {
  if (order.status !== "needs_decision") return null;
  const { targetAsset: target } = order;
  const now = await ctx.clock.now(tx);
  if ((await getOfferPauseReason(tx, { target, at: now })) !== null) return null;
  if (order.offerQuoteId !== null) {
    const offer = await getOwnQuote(tx, order.accountId, order.offerQuoteId);
    if (offer.status === "open" && offer.expiresAt > now) return offer;
  }
  const latest = await requireRate(tx, ctx).catch(toNullIfUnknown);
  if (!latest) return null;
  const received = await getHeldAmount(tx, order);
  const choices = allowedDecisions(order, { received, prices: latest, terms: ctx.config, now });
  if (!choices.includes("requote")) return null;
  const pair = toOrderPair(order, toQuotedRate(order.sourceAsset, latest));
  const payoutCost = toCost(await getChainState(tx, target), ctx.config.payoutCost[target], now).amount;
  const terms = { ...ctx.config, payoutCost: { ...ctx.config.payoutCost, [target]: payoutCost } };
  const price = toPrice({ side: "source", amount: received }, pair, terms);
  if (price.targetAmount === 0n) return null;
  if (!(await hasFunds(tx, order, price.targetAmount))) return null;
  await deleteOffer(tx, order.offerQuoteId);
  const offer = await insertOffer(tx, ctx, {
    accountId: order.accountId,
    source: order.sourceAsset,
    target,
    price,
    payoutCost,
    offerForOrderId: order.id,
  });
  const set = { offerQuoteId: offer.id };
  if (order.offerQuoteId !== null) await touchOrder(tx, order.id, now, set);
  else await recordEvent(tx, order.id, { kind: "offer_made", data: { quote: offer.id }, at: now, set });
  return offer;
}

function toNullIfUnknown(error: unknown): null {
  if (error instanceof ExchangeError && error.code === "rate_unknown") return null;
  throw error;
}

/** Whether our funds cover a payout of the order, which may still have a reserve. */
async function hasFunds(tx: Database, order: OrderRow, amount: bigint): Promise<boolean> {
  const { id, accountId, targetAsset } = order;
  const reserved = await getBalance(tx, targetAsset, reservedFor(id));
  const after = withReserve(await readLiquidity(tx, targetAsset, accountId), amount - reserved);
  try {
    requireCovered(after, amount);
    return true;
  } catch (error) {
    if (error instanceof ExchangeError && error.code === "liquidity") return false;
    throw error;
  }
}
