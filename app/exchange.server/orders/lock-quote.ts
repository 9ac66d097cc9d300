import { createHash } from "node:crypto";
import { and, count, eq, sql } from "drizzle-orm";
import type { LockRequest } from "../../api/contract";
import { assets } from "../../lib/assets";
import { accounts } from "../accounts/tables";
import { getOwnAddress } from "../addresses/delivery-addresses";
import type { ChainGateway } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import { type Database, rowsOf, tryLockFor } from "../db/database";
import { ExchangeError } from "../errors";
import { describeError } from "../http/error-answers";
import { newId } from "../ids";
import { getObligations, house, InsufficientBalanceError, post, reservedFor } from "../ledger/ledger";
import { getOwnQuote, lockQuoteRow, markLocked, type QuoteRow } from "../quotes/quotes";
import { requireSwapsAccepted } from "./acceptance";
import { reserveFor } from "./fill";
import { chainStates, idempotencyKeys, orders } from "./tables";
import { insertEvent, type OrderRow } from "./transition";

type Owner = { accountId: string; payoutsWaitUntil: Date | null };

/**
 * Locks a quote: the rate is fixed, an order is made, a reserve that covers the payout (and
 * 2 % more) is set aside. One order a quote, whoever asks how often; a repeated request
 * with the same Idempotency-Key gets the same order.
 *
 * @returns the order, and whether this call made it
 * @throws not_found, quote_expired, quote_locked, too_many_orders, liquidity, swaps_stopped,
 *   idempotency_key_reused, idempotency_in_flight, invalid (an address of the wrong type, or one that cannot be paid to)
 */
export async function lockQuote(
  x: ExchangeContext,
  owner: Owner,
  quoteId: number,
  request: LockRequest,
  idempotencyKey: string,
): Promise<{ order: OrderRow; made: boolean }> {
  const bodyHash = createHash("sha256")
    .update(JSON.stringify([quoteId, request.delivery_address_id, request.refund_address_id]))
    .digest("base64url");
  const before = await getKept(x.db, owner.accountId, idempotencyKey, bodyHash);
  if (before) return { order: before, made: false };

  const quote = await getOwnQuote(x.db, owner.accountId, quoteId);
  requireOpen(quote, await x.clock.now(x.db));
  await requireSwapsAccepted(x.db, x);
  const delivery = await requireAddress(
    x,
    owner.accountId,
    request.delivery_address_id,
    quote.targetAsset,
    "delivery_address_id",
  );
  const refund = await requireAddress(
    x,
    owner.accountId,
    request.refund_address_id,
    quote.sourceAsset,
    "refund_address_id",
  );

  const { chains } = x;
  await Promise.all([
    requirePayable(x, chains[quote.targetAsset], delivery, "delivery_address_id"),
    requirePayable(x, chains[quote.sourceAsset], refund, "refund_address_id"),
  ]);

  // Assigned before the transaction: a lock that fails leaves an unused address, which costs nothing.
  const orderId = newId();
  const number = await nextOrderNumber(x.db);
  const funding = await chains[quote.sourceAsset].assignFundingAddress({ orderId, index: number });

  return x.db.transaction(async (tx) => {
    if (!(await tryLockFor(tx, `idempotency:${owner.accountId}:${idempotencyKey}`))) {
      throw new ExchangeError("idempotency_in_flight", { retryAfterSeconds: 1 });
    }
    const kept = await getKept(tx, owner.accountId, idempotencyKey, bodyHash);
    if (kept) return { order: kept, made: false };

    // One lock an account: the count of waiting orders cannot be raced (T43).
    await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.id, owner.accountId)).for("no key update");
    const locked = await lockQuoteRow(tx, owner.accountId, quoteId);
    const now = await x.clock.now(tx);
    requireOpen(locked, now);
    await requireFewWaiting(tx, x, owner.accountId);

    const expiresAt = new Date(now.getTime() + x.config.lockTtlMs);
    if (!(await markLocked(tx, quoteId, now, expiresAt))) throw new ExchangeError("quote_locked");
    const [order] = await tx
      .insert(orders)
      .values({
        id: orderId,
        number,
        accountId: owner.accountId,
        quoteId,
        status: "awaiting_deposit",
        sourceAsset: locked.sourceAsset,
        targetAsset: locked.targetAsset,
        sourceAmount: locked.sourceAmount,
        targetAmount: locked.targetAmount,
        feeAmount: locked.feeAmount,
        rate: locked.rate,
        deliveryAddress: delivery,
        refundAddress: refund,
        fundingAddress: funding.address,
        expiresAt,
        graceMs: x.config.graceMs,
        payoutNotBefore: owner.payoutsWaitUntil && owner.payoutsWaitUntil > now ? owner.payoutsWaitUntil : null,
        createdAt: now,
        updatedAt: now,
      })
      .returning();
    if (!order) throw new Error("insert returned nothing");
    await insertEvent(tx, orderId, { kind: "created", at: now }, null, "awaiting_deposit");
    await setReserve(tx, x, order, now);
    await tx
      .insert(idempotencyKeys)
      .values({ accountId: owner.accountId, key: idempotencyKey, bodyHash, orderId, createdAt: now });
    return { order, made: true };
  });
}

async function getKept(db: Database, accountId: string, key: string, bodyHash: string): Promise<OrderRow | null> {
  const [kept] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.accountId, accountId), eq(idempotencyKeys.key, key)));
  if (!kept) return null;
  if (kept.bodyHash !== bodyHash) throw new ExchangeError("idempotency_key_reused");
  const [order] = await db.select().from(orders).where(eq(orders.id, kept.orderId));
  return order ?? null;
}

function requireOpen(quote: QuoteRow, now: Date): void {
  if (quote.offerForOrderId !== null) throw new ExchangeError("not_found");
  if (quote.status === "locked" || quote.status === "used") throw new ExchangeError("quote_locked");
  if (quote.status === "expired" || quote.expiresAt <= now) throw new ExchangeError("quote_expired");
}

async function requireAddress(
  x: ExchangeContext,
  accountId: string,
  addressId: string,
  asset: OrderRow["sourceAsset"],
  field: string,
): Promise<string> {
  const address = await getOwnAddress(x.db, accountId, addressId);
  const wanted = assets[asset].addressType;
  if (!address) {
    throw new ExchangeError("invalid", { fields: { [field]: "Choose one of your addresses." } });
  }
  if (address.type !== wanted) {
    const message = `${asset} goes to an address of type ${wanted}, and this one is of type ${address.type}.`;
    throw new ExchangeError("invalid", { message, fields: { [field]: message } });
  }
  return address.address;
}

/** Asked before anybody pays. A chain that cannot tell now is asked again before the payout. */
async function requirePayable(x: ExchangeContext, chain: ChainGateway, address: string, field: string): Promise<void> {
  const obstacle = await chain.getReceiverObstacle(address).catch((error: unknown) => {
    x.log.warn({ asset: chain.asset, error: describeError(error) }, "an address could not be looked up");
    return null;
  });
  if (obstacle !== null) throw new ExchangeError("invalid", { message: obstacle, fields: { [field]: obstacle } });
}

async function requireFewWaiting(tx: Database, x: ExchangeContext, accountId: string): Promise<void> {
  const [row] = await tx
    .select({ waiting: count() })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), eq(orders.status, "awaiting_deposit")));
  if ((row?.waiting ?? 0) >= x.config.maxWaitingOrders) throw new ExchangeError("too_many_orders");
}

/** Sets the payout aside in the ledger, if our wallet on the chain holds it too. @throws liquidity */
async function setReserve(tx: Database, x: ExchangeContext, order: OrderRow, now: Date): Promise<void> {
  const amount = reserveFor(order, x.config);
  const asset = order.targetAsset;
  try {
    await post(tx, {
      transfers: [{ asset, from: house, to: reservedFor(order.id), amount, kind: "reserve" }],
      orderId: order.id,
      at: now,
    });
  } catch (error) {
    if (error instanceof InsufficientBalanceError) throw new ExchangeError("liquidity", { retryAfterSeconds: 600 });
    throw error;
  }
  // Looked at after the posting, whose lock on the house's row lets one lock at a time past here.
  const [chain] = await tx.select().from(chainStates).where(eq(chainStates.asset, asset));
  const spendable = chain?.spendable ?? 0n;
  if ((await getObligations(tx, asset)) > spendable) throw new ExchangeError("liquidity", { retryAfterSeconds: 600 });
}

async function nextOrderNumber(db: Database): Promise<number> {
  const [row] = await rowsOf<{ number: string }>(db, sql`select nextval('orders_number_seq')::text as number`);
  return Number(row?.number);
}
