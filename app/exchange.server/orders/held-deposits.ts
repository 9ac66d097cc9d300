import { and, asc, eq, isNotNull, isNull, notInArray, sql } from "drizzle-orm";
import { minBigint } from "../../lib/bigint";
import type { Database } from "../db/database";
import { type DepositRow, deposits } from "../db/schema/deposits";
import type { OrderRow } from "../db/schema/orders";
import { hasNotFailed, type PaymentRow, payments, refundedDeposits } from "../db/schema/payments";
import { getBalance, heldFor } from "../ledger/ledger";

/*
 * Which deposits an order still holds, and which of them a refund returns. This determines which payments depend on a
 * deposit, and so what is lost if a reorg removes that deposit.
 */

/** A credited deposit; `left` is its credited amount less its refunds. */
export type HeldDeposit = DepositRow & { creditedAt: Date; left: bigint };

/** The credited amount of a confirmed deposit: all of it or, if it is missing, what was paid out of it. */
export const toCredited = ({ amount, lostAmount }: Pick<DepositRow, "amount" | "lostAmount">): bigint =>
  lostAmount ?? amount;

/** How much of each deposit was refunded, without failed refunds and the payments in `except`. */
const refundedOf = (db: Database, orderId: string, except: string[] = []) =>
  db
    .select({
      depositId: refundedDeposits.depositId,
      refunded: sql<bigint>`sum(${refundedDeposits.amount})`.mapWith(BigInt).as("refunded"),
    })
    .from(refundedDeposits)
    .innerJoin(payments, eq(payments.id, refundedDeposits.paymentId))
    .where(and(eq(payments.orderId, orderId), hasNotFailed, notInArray(payments.id, except)))
    .groupBy(refundedDeposits.depositId)
    .as("refunds");

/**
 * The credited deposits of an order that are not refunded, in the order in which they were credited. Before the order is
 * filled their sum is the balance of `heldFor(order)`; afterwards it includes what was swapped. The payments `withdrawn`
 * do not count as refunds.
 */
export async function getHeldDeposits(
  db: Database,
  orderId: string,
  { withdrawn = [] }: { withdrawn?: PaymentRow[] } = {},
): Promise<HeldDeposit[]> {
  const refunds = refundedOf(
    db,
    orderId,
    withdrawn.map(({ id }) => id),
  );
  const rows = await db
    .select({ deposit: deposits, refunded: refunds.refunded })
    .from(deposits)
    .leftJoin(refunds, eq(refunds.depositId, deposits.id))
    .where(and(eq(deposits.orderId, orderId), isNotNull(deposits.creditedAt), eq(deposits.status, "confirmed")))
    .orderBy(asc(deposits.creditedAt), asc(deposits.id));
  return rows.flatMap(({ deposit, refunded }) => {
    const { creditedAt } = deposit;
    const left = toCredited(deposit) - (refunded ?? 0n);
    return creditedAt !== null && left > 0n ? [{ ...deposit, creditedAt, left }] : [];
  });
}

/** What is held for an order: its credited deposits less what was swapped and refunded. */
export async function getHeldAmount(db: Database, order: Pick<OrderRow, "id" | "sourceAsset">): Promise<bigint> {
  return getBalance(db, order.sourceAsset, heldFor(order.id));
}

/** What a refund returns of one deposit. */
export type RefundedPart = { depositId: string; amount: bigint };

/**
 * The parts of the deposits that make up `amount`, starting with the deposit that was credited last: what an order
 * swaps comes from the deposits that were credited before it was filled. Pure.
 */
export function takeFromLatest(
  deposits: { id: string; left: bigint; creditedAt: Date }[],
  amount: bigint,
): RefundedPart[] {
  let missing = amount;
  const parts: RefundedPart[] = [];
  for (const { id, left } of [...deposits].sort((a, b) => b.creditedAt.getTime() - a.creditedAt.getTime())) {
    if (missing <= 0n) break;
    const part = minBigint(missing, left);
    parts.push({ depositId: id, amount: part });
    missing -= part;
  }
  return parts;
}

/** Deposits of an order in the same state: credited or not, in time or late. `left` is what they still hold. */
export type DepositGroup = { status: DepositRow["status"]; blockTime: Date; left: bigint };

/**
 * The deposits of an order that are not missing, summed up by status and by whether their block is later than
 * `deadline`; at most six rows, however many deposits there are. `blockTime` is the earliest of the
 * group, so that a later deposit does not end the wait for an earlier one.
 */
export async function getDepositGroups(db: Database, orderId: string, deadline: Date): Promise<DepositGroup[]> {
  const refunds = refundedOf(db, orderId);
  const isLate = sql`${deposits.blockTime} > ${deadline.toISOString()}::timestamptz`;
  const rows = await db
    .select({
      status: deposits.status,
      blockTime: sql<Date>`min(${deposits.blockTime})`.mapWith(deposits.blockTime),
      left: sql<bigint>`sum(${deposits.amount} - coalesce(${refunds.refunded}, 0))`.mapWith(BigInt),
    })
    .from(deposits)
    .leftJoin(refunds, eq(refunds.depositId, deposits.id))
    .where(and(eq(deposits.orderId, orderId), isNull(deposits.missingSince)))
    .groupBy(deposits.status, isLate);
  return rows;
}
