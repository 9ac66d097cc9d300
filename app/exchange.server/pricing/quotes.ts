import { and, desc, eq, gt, inArray, isNull, lt, lte, or } from "drizzle-orm";
import type { Quote, QuoteRequest } from "../../api/contract";
import { addMs, dayMs } from "../../lib/durations";
import { AmountError, formatAmount, formatDecimal, parseAmount, RATE_DECIMALS } from "../../lib/money";
import { type Price, type Side, toQuotedRate } from "../../lib/price";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { type QuoteRow, quotes } from "../db/schema/quotes";
import { ExchangeError, invariant } from "../errors";
import { newQuoteId } from "../ids";
import { insertQuoteIf } from "./insert-quote";
import { getMarket, getRecentMarket, type Market } from "./market";
import { toCosts } from "./payment-costs";
import { requireRecent, toPrices } from "./rates";
import { requirePrice, requireSinglePayment, requireWithinLimits } from "./require-price";
import { requireQuotesAccepted } from "./swap-acceptance";

/** How often a quote is priced again when the market changes between its price and its insertion. */
const maxAttempts = 5;

/**
 * Creates a quote that is open for `quoteTtlMs`. An account may have several open quotes.
 *
 * The price is based on the market as it was read a moment ago, and the quote is inserted only if the market has not
 * changed since. A refusal is based on the market as it is now.
 * @throws swaps_stopped, rate_unknown, amount_invalid, amount_too_small, amount_too_large, liquidity
 */
export async function createQuote(ctx: ExchangeContext, accountId: string, request: QuoteRequest): Promise<QuoteRow> {
  const recent = await getRecentMarket(ctx);
  const quoted = await quoteIn(recent, ctx, accountId, request).catch(toNullIfRefused);
  if (quoted) return quoted;
  for (let attempt = 1; attempt < maxAttempts; attempt += 1) {
    const row = await quoteIn(await getMarket(ctx), ctx, accountId, request);
    if (row) return row;
  }
  throw new ExchangeError("rate_unknown", { retryAfterSeconds: 1 });
}

/** Creates a quote at the market's price, or returns null if the market has changed. @throws as `createQuote` */
async function quoteIn(
  market: Market,
  ctx: ExchangeContext,
  accountId: string,
  request: QuoteRequest,
): Promise<QuoteRow | null> {
  const now = await ctx.clock.now(ctx.db);
  requireQuotesAccepted(ctx, market, now);
  const prices = requireRecent(ctx, market.rate && toPrices(market.rate), now);
  const source = request.source_asset_symbol;
  const target = request.target_asset_symbol;
  const pair = { source, target, rate: toQuotedRate(source, prices) };
  const terms = { ...ctx.config, payoutCost: toCosts(market.chains, ctx.config.payoutCost, now) };
  const requested = parseRequestedAmount(request);
  const price = requirePrice(requested, pair, terms);
  requireWithinLimits(price.sourceAmount, requested.side, pair, terms);
  requireSinglePayment(price.targetAmount, market.chains[target]?.maxPayment ?? null);
  const payoutCost = terms.payoutCost[target];
  const values = toOpenQuote(ctx, { accountId, source, target, price, payoutCost, offerForOrderId: null }, now);
  return (await insertQuoteIf(ctx.db, { quote: values, stamp: market.stamp })) ? values : null;
}

function toNullIfRefused(error: unknown): null {
  if (error instanceof ExchangeError) return null;
  throw error;
}

/** @throws amount_invalid */
function parseRequestedAmount(request: QuoteRequest): { side: Side; amount: bigint } {
  const side = request.source_amount === undefined ? "target" : "source";
  const text = (side === "source" ? request.source_amount : request.target_amount) ?? "";
  const asset = side === "source" ? request.source_asset_symbol : request.target_asset_symbol;
  const field = `${side}_amount`;
  try {
    const amount = parseAmount(text, asset);
    if (amount === 0n) throw new AmountError("Enter an amount above zero.");
    return { side, amount };
  } catch (error) {
    if (error instanceof AmountError) {
      throw new ExchangeError("amount_invalid", { message: error.message, fields: { [field]: error.message } });
    }
    throw error;
  }
}

type NewQuote = {
  accountId: string;
  source: QuoteRow["sourceAsset"];
  target: QuoteRow["targetAsset"];
  price: Price;
  /** What the payout was expected to cost, in the target asset. */
  payoutCost: bigint;
  offerForOrderId: string | null;
};

/** Inserts the offer for an order that needs a decision. */
export async function insertOffer(tx: Database, ctx: ExchangeContext, offer: NewQuote): Promise<QuoteRow> {
  const now = await ctx.clock.now(tx);
  const [row] = await tx
    .insert(quotes)
    .values(toOpenQuote(ctx, offer, now))
    .returning();
  invariant(row, "the offer was inserted");
  return row;
}

function toOpenQuote(ctx: ExchangeContext, quote: NewQuote, now: Date): QuoteRow {
  const { price } = quote;
  return {
    id: newQuoteId(),
    accountId: quote.accountId,
    status: "open",
    sourceAsset: quote.source,
    targetAsset: quote.target,
    sourceAmount: price.sourceAmount,
    targetAmount: price.targetAmount,
    feeAmount: price.feeAmount,
    rate: price.rate,
    payoutCost: quote.payoutCost,
    feeBps: ctx.config.feeBps,
    offerForOrderId: quote.offerForOrderId,
    expiresAt: addMs(now, ctx.config.quoteTtlMs),
    lockedAt: null,
    createdAt: now,
    updatedAt: now,
  };
}

/**
 * A quote of the account. `lock` locks its row for the rest of the transaction.
 * @throws not_found, including for another account's quote
 */
export async function getOwnQuote(
  db: Database,
  accountId: string,
  id: number,
  { lock = false }: { lock?: boolean } = {},
): Promise<QuoteRow> {
  const query = db
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), eq(quotes.accountId, accountId)));
  const [row] = await (lock ? query.for("update") : query);
  if (!row) throw new ExchangeError("not_found");
  return row;
}

/** The account's newest open quote, or else its newest locked one. @throws not_found */
export async function getActiveQuote(ctx: ExchangeContext, accountId: string): Promise<QuoteRow> {
  const now = await ctx.clock.now(ctx.db);
  const own = and(eq(quotes.accountId, accountId), isNull(quotes.offerForOrderId));
  const [open] = await ctx.db
    .select()
    .from(quotes)
    .where(and(own, eq(quotes.status, "open"), gt(quotes.expiresAt, now)))
    .orderBy(desc(quotes.createdAt))
    .limit(1);
  if (open) return open;
  const [locked] = await ctx.db
    .select()
    .from(quotes)
    .where(and(own, eq(quotes.status, "locked")))
    .orderBy(desc(quotes.createdAt))
    .limit(1);
  if (!locked) throw new ExchangeError("not_found");
  return locked;
}

/**
 * A quote that is further in the future was made with a wrong clock. The tolerance is for quotes that another process
 * makes after this one has read the time, while its statement waits for a connection.
 */
const futureMs = 10_000;

/**
 * An open quote whose time is over, or that was made while the database's clock was ahead. After the clock has been
 * corrected, such a quote would stay open at its price for as long as the clock had been ahead (T61).
 */
const isOverdue = (now: Date) =>
  and(eq(quotes.status, "open"), or(lte(quotes.expiresAt, now), gt(quotes.createdAt, addMs(now, futureMs))));

/** The quotes that `expireQuotes` would mark. */
export const selectOverdueQuotes = (db: Database, now: Date) =>
  db.select({ id: quotes.id }).from(quotes).where(isOverdue(now));

/** Marks overdue quotes as expired. `toQuote` shows those past their expiry as expired before this runs. */
export async function expireQuotes(ctx: ExchangeContext): Promise<number> {
  const now = await ctx.clock.now(ctx.db);
  const rows = await ctx.db
    .update(quotes)
    .set({ status: "expired", updatedAt: now })
    .where(isOverdue(now))
    .returning({ id: quotes.id });
  return rows.length;
}

/** How long a quote that was never locked is kept after it has expired, and how many are deleted in one run. */
const keptMs = 30 * dayMs;
const purgedPerRun = 10_000;

/** Deletes quotes that expired long ago without an order, some at a time. */
export function purgeQuotes(db: Database, now: Date) {
  const { expiresAt, id, lockedAt, offerForOrderId, status } = quotes;
  const old = db
    .select({ id })
    .from(quotes)
    .where(and(eq(status, "expired"), isNull(lockedAt), isNull(offerForOrderId), lt(expiresAt, addMs(now, -keptMs))))
    .orderBy(expiresAt)
    .limit(purgedPerRun);
  return db.delete(quotes).where(inArray(id, old));
}

/**
 * Sets the final status of a quote: `used` once its order has a deposit, `expired` if its order ends without a deposit.
 */
export async function closeQuote(tx: Database, id: number, status: "used" | "expired", at: Date): Promise<void> {
  await tx
    .update(quotes)
    .set({ status, updatedAt: at })
    .where(
      and(eq(quotes.id, id), inArray(quotes.status, status === "used" ? ["locked", "open", "expired"] : ["locked"])),
    );
}

/**
 * Deletes the offer of an order, unless it was accepted: a new offer replaces it, or the order no longer waits for the
 * decision that it was made for. `id` is the order's `offerQuoteId`; nothing happens if that is null.
 */
export async function deleteOffer(tx: Database, id: number | null): Promise<void> {
  if (id === null) return;
  await tx.delete(quotes).where(and(eq(quotes.id, id), inArray(quotes.status, ["open", "expired"])));
}

/** Converts a quote to its API representation. An open quote past its expiry is shown as `expired`. */
export function toQuote(row: QuoteRow, now: Date): Quote {
  return {
    id: row.id,
    status: row.status === "open" && row.expiresAt <= now ? "expired" : row.status,
    source_asset_symbol: row.sourceAsset,
    target_asset_symbol: row.targetAsset,
    source_amount: formatAmount(row.sourceAmount, row.sourceAsset),
    target_amount: formatAmount(row.targetAmount, row.targetAsset),
    fee_amount: formatAmount(row.feeAmount, row.sourceAsset),
    fee_asset_symbol: row.sourceAsset,
    exchange_rate: formatDecimal(row.rate, RATE_DECIMALS),
    expires_at: row.expiresAt.toISOString(),
    locked_at: row.lockedAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/**
 * The update that moves a quote from `open` to `locked`, with the end of the time to pay as its expiry. It returns
 * nothing if the quote is not open.
 */
export function toQuoteLockStatement(tx: Database, id: number, at: Date, expiresAt: Date) {
  return tx
    .update(quotes)
    .set({ status: "locked", lockedAt: at, expiresAt, updatedAt: at })
    .where(and(eq(quotes.id, id), eq(quotes.status, "open")))
    .returning({ id: quotes.id });
}
