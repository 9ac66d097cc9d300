import { and, desc, eq, gt, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Quote, QuoteRequest } from "../../api/contract";
import { AmountError, formatAmount, formatDecimal, parseAmount, RATE_DECIMALS } from "../../lib/money";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import { newQuoteId } from "../ids";
import { requireSwapsAccepted } from "../orders/acceptance";
import { requireRate } from "../rates/rates";
import { type Price, priceOfSource, priceOfTarget, rateOf, requireWithinLimits } from "./price";
import { quotes } from "./tables";

export type QuoteRow = typeof quotes.$inferSelect;

/**
 * Makes a quote that lives `quoteTtlMs`. Quotes are independent: a new one ends no other.
 * @throws swaps_stopped, rate_unknown, amount_invalid, amount_too_small, amount_too_large
 */
export async function createQuote(x: ExchangeContext, accountId: string, request: QuoteRequest): Promise<QuoteRow> {
  await requireSwapsAccepted(x.db, x);
  const { rate: usdtPerMob } = await requireRate(x.db, x);
  const source = request.source_asset_symbol;
  const target = request.target_asset_symbol;
  const pair = { source, target, rate: rateOf(source, usdtPerMob) };
  const price = readAmounts(request, (side, amount) =>
    side === "source" ? priceOfSource(amount, pair, x.config) : priceOfTarget(amount, pair, x.config),
  );
  requireWithinLimits(price.sourceAmount, pair, x.config);
  return insertQuote(x.db, x, { accountId, source, target, price, offerForOrderId: null });
}

function readAmounts(request: QuoteRequest, toPrice: (side: "source" | "target", amount: bigint) => Price): Price {
  const side = request.source_amount === undefined ? "target" : "source";
  const text = (side === "source" ? request.source_amount : request.target_amount) ?? "";
  const asset = side === "source" ? request.source_asset_symbol : request.target_asset_symbol;
  const field = `${side}_amount`;
  try {
    const amount = parseAmount(text, asset);
    if (amount === 0n) throw new AmountError("form", "Write an amount above zero.");
    return toPrice(side, amount);
  } catch (error) {
    if (error instanceof AmountError) {
      throw new ExchangeError("amount_invalid", { message: error.message, fields: { [field]: error.message } });
    }
    throw error;
  }
}

/** Writes an open quote; also used for the offer of a decision. */
export async function insertQuote(
  db: Database,
  x: ExchangeContext,
  quote: {
    accountId: string;
    source: QuoteRow["sourceAsset"];
    target: QuoteRow["targetAsset"];
    price: Price;
    offerForOrderId: string | null;
  },
): Promise<QuoteRow> {
  const now = await x.clock.now(db);
  const { price } = quote;
  const [row] = await db
    .insert(quotes)
    .values({
      id: newQuoteId(),
      accountId: quote.accountId,
      status: "open",
      sourceAsset: quote.source,
      targetAsset: quote.target,
      sourceAmount: price.sourceAmount,
      targetAmount: price.targetAmount,
      feeAmount: price.feeAmount,
      rate: price.rate,
      offerForOrderId: quote.offerForOrderId,
      expiresAt: new Date(now.getTime() + x.config.quoteTtlMs),
      lockedAt: null,
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  if (!row) throw new Error("insert returned nothing");
  return row;
}

/** One quote of this account. @throws not_found, for other people's quotes too */
export async function getOwnQuote(db: Database, accountId: string, id: number): Promise<QuoteRow> {
  const [row] = await db
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), eq(quotes.accountId, accountId)));
  if (!row) throw new ExchangeError("not_found");
  return row;
}

/** The newest open quote, else the newest locked one. @throws not_found */
export async function getActiveQuote(x: ExchangeContext, accountId: string): Promise<QuoteRow> {
  const now = await x.clock.now(x.db);
  const mine = and(eq(quotes.accountId, accountId), isNull(quotes.offerForOrderId));
  const [open] = await x.db
    .select()
    .from(quotes)
    .where(and(mine, eq(quotes.status, "open"), gt(quotes.expiresAt, now)))
    .orderBy(desc(quotes.createdAt))
    .limit(1);
  if (open) return open;
  const [locked] = await x.db
    .select()
    .from(quotes)
    .where(and(mine, eq(quotes.status, "locked")))
    .orderBy(desc(quotes.createdAt))
    .limit(1);
  if (!locked) throw new ExchangeError("not_found");
  return locked;
}

/** Marks open quotes whose time is over. Reading does not wait for it: see `toQuote`. */
export async function expireQuotes(x: ExchangeContext): Promise<number> {
  const now = await x.clock.now(x.db);
  const rows = await x.db
    .update(quotes)
    .set({ status: "expired", updatedAt: now })
    .where(and(eq(quotes.status, "open"), lte(quotes.expiresAt, now)))
    .returning({ id: quotes.id });
  return rows.length;
}

/** Sets the state of a quote whose order went on (`locked → used`, `locked → expired`). */
export async function settleQuote(tx: Database, id: number, status: "used" | "expired", at: Date): Promise<void> {
  await tx
    .update(quotes)
    .set({ status, updatedAt: at })
    .where(
      and(eq(quotes.id, id), inArray(quotes.status, status === "used" ? ["locked", "open", "expired"] : ["locked"])),
    );
}

/** Open offers for an order are worth nothing once it is decided or more money came. */
export async function voidOffers(tx: Database, orderId: string, at: Date): Promise<void> {
  await tx
    .update(quotes)
    .set({ status: "expired", updatedAt: at })
    .where(and(eq(quotes.offerForOrderId, orderId), eq(quotes.status, "open")));
}

/** The quote as the API gives it; an open one past its time reads `expired`. */
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

/** Locks the row of a quote for the rest of the transaction. @throws not_found */
export async function lockQuoteRow(tx: Database, accountId: string, id: number): Promise<QuoteRow> {
  const [row] = await tx
    .select()
    .from(quotes)
    .where(and(eq(quotes.id, id), eq(quotes.accountId, accountId)))
    .for("update");
  if (!row) throw new ExchangeError("not_found");
  return row;
}

/** `open → locked`, and its time becomes the end of payment. Compare-and-set. */
export async function markLocked(tx: Database, id: number, at: Date, expiresAt: Date): Promise<boolean> {
  const rows = await tx
    .update(quotes)
    .set({ status: "locked", lockedAt: at, expiresAt, updatedAt: at })
    .where(and(eq(quotes.id, id), eq(quotes.status, "open")))
    .returning({ id: sql<number>`1` });
  return rows.length === 1;
}
