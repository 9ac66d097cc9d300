import { and, count, eq, gt, max, sql } from "drizzle-orm";
import { type Database, rowsOf } from "../db/database";
import { orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import type { OrderRow } from "./transition";

/** Unpaid locks of one account may reserve 1/50 of what we could pay out, or one order. */
const poolShare = 50n;

/** The wait after the first lock that expired; each further one within a day doubles it. */
const firstWaitMs = 60_000;
const maxDoublings = 9;
const dayMs = 24 * 60 * 60_000;

/**
 * Makes accounts that let locks expire wait, longer each time: a lock costs them nothing, but holds
 * back coins from everyone else. Cancelled orders and those paid late do not count.
 * @throws rate_limited
 */
export async function requireNoWait(db: Database, accountId: string, now: Date): Promise<void> {
  const [row] = await db
    .select({ expired: count(), latest: max(orders.updatedAt) })
    .from(orders)
    .where(
      and(
        eq(orders.accountId, accountId),
        eq(orders.status, "expired"),
        gt(orders.updatedAt, new Date(now.getTime() - dayMs)),
      ),
    );
  if (!row?.latest) return;
  const waitMs = firstWaitMs * 2 ** Math.min(row.expired - 1, maxDoublings);
  const leftMs = row.latest.getTime() + waitMs - now.getTime();
  if (leftMs <= 0) return;
  const swaps = row.expired === 1 ? "A swap" : `${row.expired} swaps`;
  throw new ExchangeError("rate_limited", {
    message: `${swaps} of yours expired unpaid today. You can lock the next one in ${formatWait(leftMs)}.`,
    retryAfterSeconds: leftMs / 1000,
  });
}

/**
 * Limits what one account can hold back without paying. Called after the order's payout was
 * reserved, in the same transaction and under the account's and the treasury's locks.
 * @throws too_many_orders
 */
export async function requireSmallUnpaidShare(tx: Database, order: OrderRow): Promise<void> {
  const [row] = await rowsOf<{ unpaid: string; locks: string; pool: string }>(
    tx,
    sql`select coalesce(sum(balance) filter (where code in (
            select 'reserved:' || id from orders
            where account_id = ${order.accountId} and status = 'awaiting_deposit' and target_asset = ${order.targetAsset}
          )), 0)::text as unpaid,
          count(*) filter (where balance > 0 and code in (
            select 'reserved:' || id from orders
            where account_id = ${order.accountId} and status = 'awaiting_deposit' and target_asset = ${order.targetAsset}
          ))::text as locks,
          coalesce(sum(balance), 0)::text as pool
        from ledger_accounts
        where asset = ${order.targetAsset} and (code = 'treasury' or code like 'reserved:%')`,
  );
  if (!row || Number(row.locks) <= 1 || BigInt(row.unpaid) * poolShare <= BigInt(row.pool)) return;
  throw new ExchangeError("too_many_orders", {
    message: `Your unpaid swaps already reserve as much ${order.targetAsset} as one account may. Pay or cancel one first.`,
  });
}

function formatWait(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 60) return minutes === 1 ? "a minute" : `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? "an hour" : `${hours} hours`;
}
