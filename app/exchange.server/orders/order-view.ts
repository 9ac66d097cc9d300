import { inArray } from "drizzle-orm";
import type { Decision, Order, Transaction } from "../../api/contract";
import { formatAmount, formatDecimal, RATE_DECIMALS } from "../../lib/money";
import type { ExchangeContext } from "../context";
import { type QuoteRow, toQuote } from "../quotes/quotes";
import { quotes } from "../quotes/tables";
import { getLatestRate } from "../rates/rates";
import { choicesOf } from "./decisions";
import type { PaymentRow } from "./plan-payments";
import { type DepositRow, getHeldDeposits, getMovements } from "./queries";
import type { OrderRow } from "./transition";

/** Orders as the API gives them, in the order in which they came. */
export async function toOrders(x: ExchangeContext, rows: OrderRow[]): Promise<Order[]> {
  const now = await x.clock.now(x.db);
  const { deposits, payments } = await getMovements(
    x.db,
    rows.map((row) => row.id),
  );
  const offers = await getOffers(x, rows);
  const views: Order[] = [];
  for (const row of rows) {
    views.push({
      ...toTerms(row),
      decision: await toDecision(x, row, offers, now),
      incoming_txs: deposits.filter((d) => d.orderId === row.id).map(toIncoming),
      outgoing_txs: payments.filter((p) => p.orderId === row.id).map(toOutgoing),
    });
  }
  return views;
}

/** One order as the API gives it. */
export async function toOrder(x: ExchangeContext, row: OrderRow): Promise<Order> {
  const [order] = await toOrders(x, [row]);
  if (!order) throw new Error("one row is one order");
  return order;
}

/** Amounts are what is really swapped: what was filled, once that is decided; what was quoted until then. */
function toTerms(row: OrderRow): Omit<Order, "decision" | "incoming_txs" | "outgoing_txs"> {
  const source = row.sourceAsset;
  const target = row.targetAsset;
  const filled = row.status === "paying_out" || row.status === "completed" || row.heldFrom === "paying_out";
  const pick = (whenFilled: bigint | null, quoted: bigint) => (filled && whenFilled !== null ? whenFilled : quoted);
  return {
    id: row.id,
    quote_id: row.quoteId,
    status: row.status,
    source_asset_symbol: source,
    target_asset_symbol: target,
    source_amount: formatAmount(pick(row.filledSource, row.sourceAmount), source),
    target_amount: formatAmount(pick(row.filledTarget, row.targetAmount), target),
    fee_amount: formatAmount(pick(row.filledFee, row.feeAmount), source),
    fee_asset_symbol: source,
    exchange_rate: formatDecimal(pick(row.filledRate, row.rate), RATE_DECIMALS),
    delivery_address: row.deliveryAddress,
    refund_address: row.refundAddress,
    funding_address: row.fundingAddress,
    expires_at: row.expiresAt.toISOString(),
    hold:
      row.status === "on_hold" && row.holdReason !== null && row.holdDeadline !== null
        ? { reason: row.holdReason, deadline: row.holdDeadline.toISOString() }
        : null,
    payout_not_before: row.payoutNotBefore?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

async function toDecision(
  x: ExchangeContext,
  row: OrderRow,
  offers: Map<number, QuoteRow>,
  now: Date,
): Promise<Decision | null> {
  if (row.status !== "needs_decision" || row.decisionReason === null || row.decisionDeadline === null) return null;
  const held = await getHeldDeposits(x.db, row.id);
  const received = held.reduce((sum, deposit) => sum + deposit.left, 0n);
  const latest = await getLatestRate(x.db);
  const offer = row.offerQuoteId === null ? undefined : offers.get(row.offerQuoteId);
  return {
    reason: row.decisionReason,
    deadline: row.decisionDeadline.toISOString(),
    choices: choicesOf(row, received, latest?.rate ?? null, x, now),
    offer: offer && offer.status === "open" && offer.expiresAt > now ? toQuote(offer, now) : null,
  };
}

async function getOffers(x: ExchangeContext, rows: OrderRow[]): Promise<Map<number, QuoteRow>> {
  const ids = rows.flatMap((row) =>
    row.status === "needs_decision" && row.offerQuoteId !== null ? [row.offerQuoteId] : [],
  );
  if (ids.length === 0) return new Map();
  const found = await x.db.select().from(quotes).where(inArray(quotes.id, ids));
  return new Map(found.map((quote) => [quote.id, quote]));
}

function toIncoming(row: DepositRow): Transaction {
  return {
    id: row.id,
    status: row.status,
    asset_symbol: row.asset,
    amount: formatAmount(row.amount, row.asset),
    hash: row.displayHash,
    confirmations: row.confirmations,
    required_confirmations: row.requiredConfirmations,
    purpose: "deposit",
    created_at: row.createdAt.toISOString(),
  };
}

function toOutgoing(row: PaymentRow): Transaction {
  const done = row.status === "confirmed" || row.status === "failed";
  return {
    id: row.id,
    status: done ? (row.status as "confirmed" | "failed") : "pending",
    asset_symbol: row.asset,
    amount: formatAmount(row.amount, row.asset),
    hash: row.hash,
    confirmations: row.confirmations,
    required_confirmations: row.requiredConfirmations,
    purpose: row.purpose,
    created_at: row.createdAt.toISOString(),
  };
}
