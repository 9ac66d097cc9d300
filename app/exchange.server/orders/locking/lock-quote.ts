import { sql } from "drizzle-orm";
import type { LockRequest } from "../../../api/contract";
import { addMs } from "../../../lib/durations";
import type { Caller } from "../../accounts/caller";
import { getRecoveryHold } from "../../accounts/recovery-hold";
import type { ExchangeContext, RunningContext } from "../../context";
import type { Database } from "../../db/database";
import { insertIf } from "../../db/insert-if";
import { type OrderRow, orders } from "../../db/schema/orders";
import type { QuoteRow } from "../../db/schema/quotes";
import { ExchangeError, invariant } from "../../errors";
import { InsufficientBalanceError, post, reservedFor, treasury } from "../../ledger/ledger";
import { toQuoteLockStatement } from "../../pricing/quotes";
import { requireLocksAccepted } from "../../pricing/swap-acceptance";
import { requireSwapper } from "../holds/owner-check";
import { type Liquidity, readLiquidity, requireCovered, toLiquidityError, withReserve } from "../liquidity";
import { toReserveAmount } from "../order-price";
import { toEventStatement } from "../transition";
import { type Allocation, allocateFundingAddress } from "./allocate-funding-address";
import {
  acquireRowLocks,
  type IdempotentRequest,
  type LockKeys,
  readLockInputs,
  toIdempotentRequest,
  toKeyStatement,
} from "./lock-inputs";
import { runSerially } from "./run-serially";
import { type LockAddresses, requireReceivers, requireSavedAddresses } from "./saved-addresses";
import { requireNoLockCooldown, requireSmallUnpaidShare } from "./unpaid-locks";

type Lock = {
  owner: Pick<Caller, "accountId" | "sessionId">;
  quoteId: number;
  request: LockRequest;
  idempotencyKey: string;
};

type LockResult = { order: OrderRow; created: boolean };

/**
 * Locks a quote: creates its order at a fixed rate and reserves the payout, including the tolerance
 * for overpayment. A quote gets at most one order; repeating a request under its Idempotency-Key
 * returns the same order.
 *
 * @returns the order, and whether this call created it
 * @throws not_found, quote_expired, quote_locked, too_many_orders, rate_limited, liquidity, swaps_stopped,
 *   kyc_required, user_inactive, token_expired, idempotency_key_reused, idempotency_in_flight, invalid (an address that
 *   cannot receive its asset)
 */
export function lockQuote(ctx: RunningContext, lock: Lock): Promise<LockResult> {
  // One at a time per account, so that locks are refused before they take a funding address.
  return runSerially(`lock:${lock.owner.accountId}`, () => lockOnce(ctx, lock));
}

async function lockOnce(ctx: RunningContext, { owner, quoteId, request, idempotencyKey }: Lock): Promise<LockResult> {
  const { delivery_address_id: deliveryId, refund_address_id: refundId } = request;
  const idempotent = toIdempotentRequest(owner.accountId, idempotencyKey, [quoteId, deliveryId, refundId]);
  const keys: LockKeys = { idempotent, quoteId, deliveryId, refundId };
  const early = await checkLock(ctx.db, ctx, keys);
  if (early.earlier) return { order: early.earlier, created: false };

  const { quote, addresses, liquidity } = early;
  await requireReceivers(ctx, addresses, { source: quote.sourceAsset, target: quote.targetAsset });
  requireLiquidity(ctx, liquidity, quote);
  // Assigned before the transaction. All conditions of the lock have been checked by now, so a refused lock uses up a
  // funding address only if something changes at this moment. This matters because wallets stop looking after a gap of
  // unused addresses.
  const funding = await allocateFundingAddress(ctx, quote);
  return ctx.db.transaction((tx) => createOrderInTransaction(tx, ctx, { owner, keys, funding }));
}

/**
 * Takes the locks, then checks everything except the chains again, because it may have changed before the locks were
 * taken. Creates the order from what it then reads.
 */
async function createOrderInTransaction(
  tx: Database,
  ctx: ExchangeContext,
  { owner, keys, funding }: { owner: Lock["owner"]; keys: LockKeys; funding: Allocation },
): Promise<LockResult> {
  await acquireRowLocks(tx, keys, owner);
  const checked = await checkLock(tx, ctx, keys);
  if (checked.earlier) return { order: checked.earlier, created: false };

  const { quote, addresses, payoutNotBefore, now } = checked;
  const parts = { ...funding, ...addresses, accountId: owner.accountId, payoutNotBefore };
  const order = await insertOrder(tx, ctx, { quote, parts, idempotent: keys.idempotent }, now);
  await reservePayout(tx, ctx, order, now);
  return { order, created: true };
}

/** The order that an earlier request with the same key created, or what was checked for a new one, as of `now`. */
type Checked =
  | { earlier: OrderRow }
  | {
      earlier: null;
      quote: QuoteRow;
      addresses: LockAddresses;
      liquidity: Liquidity;
      payoutNotBefore: Date | null;
      now: Date;
    };

/** Reads the inputs once, and checks the conditions for a lock, apart from the funds for its payout. */
async function checkLock(db: Database, ctx: ExchangeContext, keys: LockKeys): Promise<Checked> {
  const now = await ctx.clock.now(db);
  const inputs = await readLockInputs(db, keys, { now, decisionTtlMs: ctx.config.decisionTtlMs });
  if (inputs.earlier) {
    if (inputs.earlier.bodyHash !== keys.idempotent.bodyHash) throw new ExchangeError("idempotency_key_reused");
    return { earlier: inputs.earlier.order };
  }
  requireSwapper(inputs.owner);
  const quote = requireOpen(inputs.quote, now);
  await requireLocksAccepted(db, ctx, { stamp: inputs.stamp, now });
  requireNoLockCooldown(inputs.unpaid, { firstWaitMs: ctx.config.unpaidLockWaitMs, now });
  const addresses = requireSavedAddresses(inputs.addresses, { source: quote.sourceAsset, target: quote.targetAsset });
  requireOpenOrderLimit(ctx, inputs.unpaid);
  const payoutNotBefore = getRecoveryHold(inputs.owner, now);
  return { earlier: null, quote, addresses, liquidity: inputs.liquidity, payoutNotBefore, now };
}

type NewOrder = {
  quote: QuoteRow;
  parts: Allocation & LockAddresses & Pick<OrderRow, "accountId" | "payoutNotBefore">;
  idempotent: IdempotentRequest;
};

/** Creates the order of an open quote in one statement, with its first event and its Idempotency-Key. */
async function insertOrder(
  tx: Database,
  ctx: ExchangeContext,
  { quote, parts, idempotent }: NewOrder,
  now: Date,
): Promise<OrderRow> {
  const expiresAt = addMs(now, ctx.config.lockTtlMs);
  const locked = tx.$with("locked").as(toQuoteLockStatement(tx, quote.id, now, expiresAt));
  const created = { from: null, to: "awaiting_deposit" } as const;
  const event = tx.$with("event").as(toEventStatement(tx, parts.id, { kind: "created", at: now }, created));
  const key = tx.$with("key").as(toKeyStatement(tx, idempotent, parts.id, now));
  const order = await insertIf(tx, orders, {
    along: [locked, event, key],
    condition: sql`exists (select from ${locked})`,
    values: {
      ...parts,
      quoteId: quote.id,
      status: created.to,
      sourceAsset: quote.sourceAsset,
      targetAsset: quote.targetAsset,
      sourceAmount: quote.sourceAmount,
      targetAmount: quote.targetAmount,
      feeAmount: quote.feeAmount,
      rate: quote.rate,
      payoutCost: quote.payoutCost,
      feeBps: quote.feeBps,
      expiresAt,
      graceMs: ctx.config.graceMs,
      createdAt: now,
      updatedAt: now,
    },
  });
  invariant(order, "a quote that is open under its lock can be locked");
  return order;
}

function requireOpen(quote: QuoteRow | null, now: Date): QuoteRow {
  if (quote === null || quote.offerForOrderId !== null) throw new ExchangeError("not_found");
  if (quote.status === "locked" || quote.status === "used") throw new ExchangeError("quote_locked");
  if (quote.status === "expired" || quote.expiresAt <= now) throw new ExchangeError("quote_expired");
  return quote;
}

function requireOpenOrderLimit(ctx: ExchangeContext, { waiting }: { waiting: number }): void {
  if (waiting >= ctx.config.maxWaitingOrders) throw new ExchangeError("too_many_orders");
}

/**
 * Reserves the payout in the ledger, if the wallet on the chain covers it as well.
 *
 * Posting locks the treasury's row until the transaction ends, so reserves are checked one at a time. No other quote
 * can be locked until then, so keep the rest of the transaction short. The liquidity is read after posting: what we owe
 * may have grown while this transaction waited for that row.
 * @throws liquidity, too_many_orders (for what the account's unpaid orders reserve)
 */
async function reservePayout(tx: Database, ctx: ExchangeContext, order: OrderRow, at: Date): Promise<void> {
  const amount = toReserveAmount(order, ctx.config);
  const asset = order.targetAsset;
  await post(tx, {
    transfers: [{ asset, from: treasury, to: reservedFor(order.id), amount, kind: "reserve" }],
    orderId: order.id,
    at,
  }).catch((error: unknown) => {
    throw error instanceof InsufficientBalanceError ? toLiquidityError() : error;
  });
  const after = await readLiquidity(tx, asset, order.accountId);
  requireCovered(after, amount);
  requireSmallUnpaidShare(after, asset);
}

/** Whether `reservePayout` would succeed now. @throws liquidity, too_many_orders */
function requireLiquidity(ctx: ExchangeContext, liquidity: Liquidity, quote: QuoteRow): void {
  const amount = toReserveAmount(quote, ctx.config);
  const after = withReserve(liquidity, amount);
  requireCovered(after, amount);
  requireSmallUnpaidShare(after, quote.targetAsset);
}
