import { createHash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Caller } from "../../accounts/caller";
import { selectOwnAddress } from "../../addresses/delivery-addresses";
import { type Database, queryRows, tryLock } from "../../db/database";
import { prepareQuery } from "../../db/prepare-query";
import { type AccountRow, accounts } from "../../db/schema/accounts";
import { deliveryAddresses } from "../../db/schema/addresses";
import { idempotencyKeys, type OrderRow, orders } from "../../db/schema/orders";
import { type QuoteRow, quotes } from "../../db/schema/quotes";
import { ExchangeError, invariant } from "../../errors";
import { stampNow } from "../../pricing/market";
import { switchesLock } from "../../switches/switches";
import { swapperColumns } from "../holds/owner-check";
import { type Liquidity, selectLiquidity, toLiquidity } from "../liquidity";
import type { OwnAddresses } from "./saved-addresses";
import { selectUnpaidOrders, type UnpaidOrders } from "./unpaid-locks";

/** A request under the caller's Idempotency-Key; keys are unique per account. */
export type IdempotentRequest = { accountId: string; key: string; bodyHash: string };

/** @param body the values that make two requests the same */
export function toIdempotentRequest(accountId: string, key: string, body: unknown[]): IdempotentRequest {
  return { accountId, key, bodyHash: createHash("sha256").update(JSON.stringify(body)).digest("base64url") };
}

/** What identifies a request to lock a quote: the account and its key, the quote, and the two addresses. */
export type LockKeys = { idempotent: IdempotentRequest; quoteId: number; deliveryId: string; refundId: string };

/** The owner's account, as far as a lock depends on it. */
const ownerColumns = { ...swapperColumns, payoutsWaitUntil: accounts.payoutsWaitUntil };
type LockOwner = Pick<AccountRow, keyof typeof ownerColumns>;

/** The data that a decision about a lock is based on, read at one moment. */
export type LockInputs = {
  /** The order that was stored under the request's Idempotency-Key, with the hash of that request. */
  earlier: { bodyHash: string; order: OrderRow } | null;
  owner: LockOwner;
  /** The account's own quote; null if it has none with this id. */
  quote: QuoteRow | null;
  addresses: OwnAddresses;
  unpaid: UnpaidOrders;
  /** Of the asset that the quote pays out. */
  liquidity: Liquidity;
  /** The market's stamp: see `requireLocksAccepted`. */
  stamp: string;
};

const selectLockInputs = prepareQuery(
  "lock_inputs",
  {
    accountId: accounts.id,
    key: idempotencyKeys.key,
    quoteId: quotes.id,
    deliveryId: deliveryAddresses.id,
    refundId: deliveryAddresses.id,
    now: orders.expiresAt,
    decisionTtlMs: orders.graceMs,
  },
  (db, { accountId, key, quoteId, deliveryId, refundId, ...times }) => {
    const delivery = selectOwnAddress(db, accountId, deliveryId).as("delivery");
    const refund = selectOwnAddress(db, accountId, refundId).as("refund");
    const unpaid = selectUnpaidOrders(db, { accountId, ...times }).as("unpaid_orders");
    const liquidity = selectLiquidity(db, accountId).as("liquidity");
    return db
      .select({
        stamp: stampNow,
        owner: ownerColumns,
        bodyHash: idempotencyKeys.bodyHash,
        earlier: orders,
        quote: quotes,
        delivery: { type: delivery.type, address: delivery.address, isOurs: delivery.isOurs },
        refund: { type: refund.type, address: refund.address, isOurs: refund.isOurs },
        unpaid: {
          waiting: unpaid.waiting,
          ended: unpaid.ended,
          lastEndedAt: unpaid.lastEndedAt,
          mistakes: unpaid.mistakes,
          lastMistakeAt: unpaid.lastMistakeAt,
        },
        liquidity: {
          spendable: liquidity.spendable,
          maxPayment: liquidity.maxPayment,
          treasury: liquidity.treasury,
          obligations: liquidity.obligations,
          total: liquidity.total,
          unpaid: liquidity.unpaid,
          unpaidLocks: liquidity.unpaidLocks,
        },
      })
      .from(accounts)
      .innerJoin(unpaid, sql`true`)
      .leftJoin(idempotencyKeys, and(eq(idempotencyKeys.accountId, accounts.id), eq(idempotencyKeys.key, key)))
      .leftJoin(orders, eq(orders.id, idempotencyKeys.orderId))
      .leftJoin(quotes, and(eq(quotes.id, quoteId), eq(quotes.accountId, accounts.id)))
      .leftJoin(delivery, sql`true`)
      .leftJoin(refund, sql`true`)
      .leftJoin(liquidity, eq(liquidity.asset, quotes.targetAsset))
      .where(eq(accounts.id, accountId));
  },
);

/** Reads the inputs with one statement. */
export async function readLockInputs(
  db: Database,
  { idempotent: { accountId, key }, ...ids }: LockKeys,
  times: { now: Date; decisionTtlMs: number },
): Promise<LockInputs> {
  const [row] = await selectLockInputs(db, { accountId, key, ...ids, ...times });
  invariant(row, `account ${accountId} exists`);
  const { stamp, owner, bodyHash, earlier, quote } = row;
  return {
    stamp,
    owner,
    earlier: bodyHash === null || earlier === null ? null : { bodyHash, order: earlier },
    quote,
    addresses: { delivery: row.delivery, refund: row.refund },
    unpaid: row.unpaid,
    liquidity: toLiquidity(row.liquidity),
  };
}

/**
 * Takes all locks that locking a quote needs, in a fixed order and in one statement: the switches, so that
 * `operate off` waits for this transaction; the Idempotency-Key, so that a second request with the same key is refused
 * until it ends; the account, so that parallel requests cannot exceed the limit on waiting orders (T43); the session, so
 * that it cannot end in the meantime (T27); and the quote. Each step of the statement reads the result of the previous
 * step, so they run in this order. Another statement reads the inputs afterwards, so it sees what was committed while
 * this one waited.
 * @throws idempotency_in_flight, token_expired
 */
export async function acquireRowLocks(
  tx: Database,
  { idempotent, quoteId }: LockKeys,
  { sessionId }: Pick<Caller, "sessionId">,
): Promise<void> {
  const { accountId, key } = idempotent;
  const [row] = await queryRows<{ held: boolean; session: string | null }>(
    tx,
    sql`with switches as materialized (select ${switchesLock}),
          key as materialized (select ${tryLock(`idempotency:${accountId}:${key}`)} as held from switches),
          account as materialized (
            select accounts.id from key, accounts where key.held and accounts.id = ${accountId}
               for no key update of accounts
          ),
          session as materialized (
            select sessions.id from account, sessions where sessions.id = ${sessionId} and sessions.revoked_at is null
               for share of sessions
          ),
          quote as materialized (
            select quotes.id from account, session, quotes where quotes.id = ${quoteId} and quotes.account_id = account.id
               for update of quotes
          )
        select key.held, session.id as session, quote.id
          from key left join session on true left join quote on true`,
  );
  if (row?.held !== true) throw new ExchangeError("idempotency_in_flight", { retryAfterSeconds: 1 });
  if (row.session === null) throw new ExchangeError("token_expired");
}

/** The insertion that stores an order under its key, so that a repeated request returns it. */
export function toKeyStatement(tx: Database, request: IdempotentRequest, orderId: string, at: Date) {
  return tx
    .insert(idempotencyKeys)
    .values({ ...request, orderId, createdAt: at })
    .returning({ key: idempotencyKeys.key });
}
