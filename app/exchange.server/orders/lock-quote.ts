import { eq } from "drizzle-orm";
import type { LockRequest } from "../../api/contract";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { orders } from "../db/schema/orders";
import { ExchangeError, invariant } from "../errors";
import { InsufficientBalanceError, post, reservedFor, treasury } from "../ledger/ledger";
import { getOwnQuote, lockQuoteRow, markLocked, type QuoteRow } from "../pricing/quotes";
import { requireBelow } from "../pricing/require-payable";
import { requireSwapsAccepted } from "../switches/swap-acceptance";
import { allocateFundingAddress } from "./allocate-funding-address";
import { findOrderOf, lockIdempotencyKey, storeOrderOf, toIdempotentRequest } from "./idempotency";
import { toReserveAmount } from "./order-price";
import { readPool } from "./pool";
import { requireSavedAddresses } from "./saved-addresses";
import { insertEvent, type OrderRow } from "./transition";
import { getUnpaidOrders, requireNoWait, requireSmallUnpaidShare } from "./unpaid-locks";

type Lock = {
  owner: { accountId: string; payoutsWaitUntil: Date | null };
  quoteId: number;
  request: LockRequest;
  idempotencyKey: string;
};

type OrderParts = {
  id: string;
  number: number;
  deliveryAddress: string;
  refundAddress: string;
  fundingAddress: string;
};

/**
 * Locks a quote: creates its order at a fixed rate and reserves the payout, including the tolerance
 * for overpayment. A quote gets at most one order; repeating a request under its Idempotency-Key
 * returns the same order.
 *
 * @returns the order, and whether this call created it
 * @throws not_found, quote_expired, quote_locked, too_many_orders, rate_limited, liquidity, swaps_stopped,
 *   idempotency_key_reused, idempotency_in_flight, invalid (an address that cannot receive its asset)
 */
export async function lockQuote(ctx: ExchangeContext, lock: Lock): Promise<{ order: OrderRow; created: boolean }> {
  const { owner, quoteId, request } = lock;
  const { accountId } = owner;
  const idempotent = toIdempotentRequest(accountId, lock.idempotencyKey, [
    quoteId,
    request.delivery_address_id,
    request.refund_address_id,
  ]);
  const earlier = await findOrderOf(ctx.db, idempotent);
  if (earlier) return { order: earlier, created: false };

  const quote = await getOwnQuote(ctx.db, accountId, quoteId);
  const now = await ctx.clock.now(ctx.db);
  requireOpen(quote, now);
  await requireSwapsAccepted(ctx.db, ctx, now);
  const unpaid = await getUnpaidOrders(ctx.db, accountId, now);
  requireNoWait(unpaid, now);
  const { sourceAsset: source, targetAsset: target } = quote;
  const addresses = await requireSavedAddresses(ctx, accountId, request, { source, target });

  requireFewWaiting(ctx, unpaid);
  await requireLiquidity(ctx, accountId, quote);
  // Assigned before the transaction. What usually refuses a lock has been checked by now, so that refused
  // locks do not use up funding addresses: wallets stop looking for coins after a gap of unused ones.
  const parts = { ...(await allocateFundingAddress(ctx, source)), ...addresses };

  return ctx.db.transaction(async (tx) => {
    await lockIdempotencyKey(tx, idempotent);
    const earlier = await findOrderOf(tx, idempotent);
    if (earlier) return { order: earlier, created: false };
    const order = await createOrder(tx, ctx, lock, parts);
    await storeOrderOf(tx, idempotent, order);
    return { order, created: true };
  });
}

async function createOrder(tx: Database, ctx: ExchangeContext, lock: Lock, parts: OrderParts): Promise<OrderRow> {
  const { owner, quoteId } = lock;
  const { accountId, payoutsWaitUntil } = owner;
  // One lock at a time per account: parallel requests cannot exceed the limit of waiting orders (T43).
  await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  const quote = await lockQuoteRow(tx, accountId, quoteId);
  const now = await ctx.clock.now(tx);
  requireOpen(quote, now);
  // Again in the transaction: an operator may have stopped new swaps since.
  await requireSwapsAccepted(tx, ctx, now);
  requireFewWaiting(ctx, await getUnpaidOrders(tx, accountId, now));

  const expiresAt = new Date(now.getTime() + ctx.config.lockTtlMs);
  if (!(await markLocked(tx, quoteId, now, expiresAt))) throw new ExchangeError("quote_locked");
  const [order] = await tx
    .insert(orders)
    .values({
      ...parts,
      accountId,
      quoteId,
      status: "awaiting_deposit",
      sourceAsset: quote.sourceAsset,
      targetAsset: quote.targetAsset,
      sourceAmount: quote.sourceAmount,
      targetAmount: quote.targetAmount,
      feeAmount: quote.feeAmount,
      rate: quote.rate,
      payoutCost: quote.payoutCost,
      expiresAt,
      graceMs: ctx.config.graceMs,
      payoutNotBefore: payoutsWaitUntil && payoutsWaitUntil > now ? payoutsWaitUntil : null,
      createdAt: now,
      updatedAt: now,
    })
    .returning();
  invariant(order, "the order was inserted");
  await insertEvent(tx, order.id, { kind: "created", at: now }, { from: null, to: "awaiting_deposit" });
  await reservePayout(tx, ctx, order, now);
  return order;
}

function requireOpen(quote: QuoteRow, now: Date): void {
  if (quote.offerForOrderId !== null) throw new ExchangeError("not_found");
  if (quote.status === "locked" || quote.status === "used") throw new ExchangeError("quote_locked");
  if (quote.status === "expired" || quote.expiresAt <= now) throw new ExchangeError("quote_expired");
}

function requireFewWaiting(ctx: ExchangeContext, { waiting }: { waiting: number }): void {
  if (waiting >= ctx.config.maxWaitingOrders) throw new ExchangeError("too_many_orders");
}

/**
 * Reserves the payout in the ledger, if the wallet on the chain covers it as well.
 * @throws liquidity, too_many_orders (for what the account's unpaid orders reserve)
 */
async function reservePayout(tx: Database, ctx: ExchangeContext, order: OrderRow, at: Date): Promise<void> {
  const amount = toReserveAmount(order, ctx.config);
  const asset = order.targetAsset;
  try {
    await post(tx, {
      transfers: [{ asset, from: treasury, to: reservedFor(order.id), amount, kind: "reserve" }],
      orderId: order.id,
      at,
    });
  } catch (error) {
    if (error instanceof InsufficientBalanceError) throw toShortage();
    throw error;
  }
  // Read after posting: `post` locks the treasury's row, so reserves are checked one at a time.
  const pool = await readPool(tx, asset, order.accountId);
  requireBelow(pool.maxPayment, amount);
  if (pool.obligations > pool.spendable) throw toShortage();
  requireSmallUnpaidShare(pool, asset);
}

/** Whether `reservePayout` would succeed now. @throws liquidity */
async function requireLiquidity(ctx: ExchangeContext, accountId: string, quote: QuoteRow): Promise<void> {
  const amount = toReserveAmount(quote, ctx.config);
  const pool = await readPool(ctx.db, quote.targetAsset, accountId);
  if (pool.treasury < amount || pool.obligations + amount > pool.spendable) throw toShortage();
}

function toShortage(): ExchangeError {
  return new ExchangeError("liquidity", { retryAfterSeconds: 600 });
}
