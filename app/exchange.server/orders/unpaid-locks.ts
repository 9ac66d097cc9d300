import { and, eq, gt, inArray, lt, or, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { Database } from "../db/database";
import { orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import type { Pool } from "./pool";

/** Unpaid locks of one account may reserve 1/50 of what we could pay out, or one order. */
const poolShare = 50n;

/** The wait after the first lock that expired; each further one within a day doubles it. */
const firstWaitMs = 60_000;
const maxDoublings = 9;
const dayMs = 24 * 60 * 60_000;

/**
 * How many of an account's orders are waiting for a deposit, and how many ran out in the last day, those included that
 * got less than the minimum, or anything only later: a few cents must not make a lock count as paid.
 */
export type UnpaidOrders = { waiting: number; expired: number; lastExpiredAt: Date | null };

/** One row with all three. */
export function selectUnpaidOrders(db: Database, accountId: string, now: Date) {
  const isWaiting = eq(orders.status, "awaiting_deposit");
  const expiredAt = sql`greatest(${orders.updatedAt}, ${orders.expiresAt})`;
  const wasTooLittleOrLate = and(
    eq(orders.status, "needs_decision"),
    inArray(orders.decisionReason, ["below_minimum", "late"]),
    lt(orders.expiresAt, now),
  );
  const hasExpired = and(
    or(eq(orders.status, "expired"), wasTooLittleOrLate),
    gt(orders.updatedAt, new Date(now.getTime() - dayMs)),
  );
  const lastExpiredAt = sql<Date | null>`max(${expiredAt}) filter (where ${hasExpired})`;
  return db
    .select({
      waiting: sql<number>`(count(*) filter (where ${isWaiting}))::int`.as("waiting"),
      expired: sql<number>`(count(*) filter (where ${hasExpired}))::int`.as("expired"),
      lastExpiredAt: lastExpiredAt.mapWith(orders.updatedAt).as("last_expired_at"),
    })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), or(isWaiting, hasExpired)));
}

/**
 * Makes accounts that let locks expire wait, longer each time: a lock costs them nothing, but holds
 * back coins from everyone else. Cancelled orders do not count, nor those that were paid late and then swapped or
 * refunded.
 * @throws rate_limited
 */
export function requireNoWait({ expired, lastExpiredAt }: UnpaidOrders, now: Date): void {
  if (lastExpiredAt === null) return;
  const waitMs = firstWaitMs * 2 ** Math.min(expired - 1, maxDoublings);
  const leftMs = lastExpiredAt.getTime() + waitMs - now.getTime();
  if (leftMs <= 0) return;
  const swaps = expired === 1 ? "A swap" : `${expired} swaps`;
  throw new ExchangeError("rate_limited", {
    message: `${swaps} of yours expired unpaid today. You can lock the next one in ${formatWait(leftMs)}.`,
    retryAfterSeconds: leftMs / 1000,
  });
}

/**
 * Limits what one account can hold back without paying. `pool` was read after the order's payout was
 * reserved, in the same transaction and under the account's and the treasury's locks.
 * @throws too_many_orders
 */
export function requireSmallUnpaidShare(pool: Pool, asset: AssetSymbol): void {
  if (pool.unpaidLocks <= 1 || pool.unpaid * poolShare <= pool.total) return;
  throw new ExchangeError("too_many_orders", {
    message: `Your swaps that aren't paid in full already reserve as much ${asset} as one account may. Finish or cancel one first.`,
  });
}

function formatWait(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 60) return minutes === 1 ? "a minute" : `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? "an hour" : `${hours} hours`;
}
