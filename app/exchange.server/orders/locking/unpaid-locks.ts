import { and, eq, gt, inArray, lt, not, or, type Param, type SQL, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { minuteMs } from "../../../lib/durations";
import type { Database } from "../../db/database";
import { orders } from "../../db/schema/orders";
import { ExchangeError } from "../../errors";
import { hasReceivedLittle, type Liquidity } from "../liquidity";
import { paymentDeadlineSql } from "../payment-deadline";
import { selectInStatusSince } from "../queries";

/** Unpaid locks of one account may reserve 1/50 of what we could pay out, or one order. */
const liquidityShare = 50n;

/** Each lock that ends unpaid within a day doubles the wait, up to this many times. */
const maxDoublings = 9;

/** A lock cancelled within this time is a mistake. Mistakes count like expired locks only if they happen often. */
const correctionMs = 5 * minuteMs;
const mistakesPerDay = 5;

/**
 * How many of an account's orders have received less than half of their amount and may still be paid, and how many
 * ended unpaid in the last day. Orders that received less than the minimum, or only late deposits, count as unpaid even
 * if they were refunded. Mistakes are counted separately: orders cancelled soon, and underpaid orders that were refunded,
 * or of which less than half was swapped.
 */
export type UnpaidOrders = {
  waiting: number;
  ended: number;
  lastEndedAt: Date | null;
  mistakes: number;
  lastMistakeAt: Date | null;
};

/** Selects `UnpaidOrders` in one row. */
export function selectUnpaidOrders(
  db: Database,
  { accountId, now, decisionTtlMs }: { accountId: Param; now: Param; decisionTtlMs: Param },
) {
  const { status, decisionReason, decisionDeadline, createdAt, updatedAt, expiresAt } = orders;
  const dayAgo = sql`${now}::timestamptz - interval '24 hours'`;
  const isWaiting = or(
    eq(status, "awaiting_deposit"),
    and(eq(status, "confirming"), hasReceivedLittle),
    and(eq(status, "needs_decision"), gt(expiresAt, now), hasReceivedLittle),
  );

  const hasExpired = eq(status, "expired");
  const isUnanswered = and(eq(status, "needs_decision"), lt(expiresAt, now));
  const isRefunded = inArray(status, ["refunding", "refunded"]);
  const isNotSwapped = or(isUnanswered, isRefunded);
  const wasTooLittleOrLate = inArray(decisionReason, ["below_minimum", "late"]);
  // This counts whatever amount was paid: a customer who pays only a part can watch the market, and then choose the
  // locked rate or a refund.
  const wasUnderpaid = eq(decisionReason, "underpaid");
  const wasHardlySwapped = sql`${orders.filledSource} * 2 < ${orders.sourceAmount}`;
  const isCancelled = eq(status, "cancelled");
  const askedAt = sql`${decisionDeadline} - ${decisionTtlMs}::float8 * interval '1 millisecond'`;
  // The last update says nothing about the end of a lock: an undecided order is updated with each new offer, and an order
  // that has ended with each deposit that still arrives. The events are read only for orders that may be recent.
  const endedAt = sql`case when ${isUnanswered} then greatest(${paymentDeadlineSql}, ${askedAt})
    when ${gt(updatedAt, dayAgo)} then (${selectInStatusSince}) else ${updatedAt} end`;
  const isCorrection = sql`${endedAt} < ${createdAt} + ${correctionMs} * interval '1 millisecond'`;
  const isRecent = gt(endedAt, dayAgo);

  const hasEnded = and(
    isRecent,
    or(hasExpired, and(isNotSwapped, wasTooLittleOrLate), and(isCancelled, not(isCorrection))),
  );
  const isMistake = and(
    isRecent,
    or(and(isCancelled, isCorrection), and(isNotSwapped, wasUnderpaid), wasHardlySwapped),
  );
  const count = (condition?: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`;
  const last = (condition?: SQL) =>
    sql<Date | null>`max(${endedAt}) filter (where ${condition})`.mapWith(orders.updatedAt);
  return db
    .select({
      waiting: count(isWaiting).as("waiting"),
      ended: count(hasEnded).as("ended"),
      lastEndedAt: last(hasEnded).as("last_ended_at"),
      mistakes: count(isMistake).as("mistakes"),
      lastMistakeAt: last(isMistake).as("last_mistake_at"),
    })
    .from(orders)
    .where(and(eq(orders.accountId, accountId), or(isWaiting, hasEnded, isMistake)));
}

/**
 * Makes accounts whose locks end unpaid wait, longer each time: a lock costs them nothing, but ties up coins that
 * others could use. A few mistakes do not count, nor do orders of which at least half was swapped, late or not.
 * @param firstWaitMs the wait after the first one; 0 for none
 * @throws rate_limited
 */
export function requireNoLockCooldown(
  unpaid: UnpaidOrders,
  { firstWaitMs, now }: { firstWaitMs: number; now: Date },
): void {
  const extra = Math.max(0, unpaid.mistakes - mistakesPerDay);
  const ended = unpaid.ended + extra;
  if (ended === 0 || firstWaitMs === 0) return;
  const lastMs = Math.max(unpaid.lastEndedAt?.getTime() ?? 0, extra > 0 ? (unpaid.lastMistakeAt?.getTime() ?? 0) : 0);
  const leftMs = lastMs + firstWaitMs * 2 ** Math.min(ended - 1, maxDoublings) - now.getTime();
  if (leftMs <= 0) return;
  const swaps = ended === 1 ? "One" : `${ended}`;
  throw new ExchangeError("rate_limited", {
    message: `${swaps} of your swaps in the last 24 hours ended without full payment on time. You can lock another price in ${formatWait(leftMs)}.`,
    retryAfterSeconds: leftMs / 1000,
  });
}

/**
 * Limits what one account can hold back without paying. `liquidity` includes the order's reserve, and was read in the
 * same transaction while the account and the treasury were locked.
 * @throws too_many_orders
 */
export function requireSmallUnpaidShare(liquidity: Liquidity, asset: AssetSymbol): void {
  if (liquidity.unpaidLocks <= 1 || liquidity.unpaid * liquidityShare <= liquidity.total) return;
  throw new ExchangeError("too_many_orders", {
    message: `Your unpaid swaps already reserve as much ${asset} as one account can. Pay for one or cancel one first.`,
  });
}

/** In whole minutes or hours: less is left by the time it is read. */
function formatWait(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 60) return minutes === 1 ? "a minute" : `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? "an hour" : `${hours} hours`;
}
