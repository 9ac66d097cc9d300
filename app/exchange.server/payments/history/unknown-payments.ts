import { and, desc, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../../lib/assets";
import { type OrderStatus, openStatuses } from "../../../lib/order-states";
import { hasReadSince } from "../../db/chain-state";
import type { Database } from "../../db/database";
import { deposits } from "../../db/schema/deposits";
import { unknownPayments } from "../../db/schema/history";
import { ledgerAccounts } from "../../db/schema/ledger";
import { orders } from "../../db/schema/orders";
import { type PaymentRow, payments } from "../../db/schema/payments";
import { mayBeCredited } from "../../deposits/deposit-state";
import { mayBeSamePayment } from "../../orders/payouts-and-refunds/may-have-been-made";
import { isHeldForOrder } from "../../orders/payouts-and-refunds/set-aside";

/*
 * Payments of our wallet that this database does not know, for example after a backup was restored.
 */

export type UnknownPayment = typeof unknownPayments.$inferSelect;

/** SQL condition: an unknown payment went to an address of the order, and may be its payout or a refund. */
const wentToOrder = or(
  eq(unknownPayments.address, orders.deliveryAddress),
  eq(unknownPayments.address, orders.refundAddress),
);

/**
 * SQL condition, in queries that join `orders`: an unknown payment may have ended the payment's order the other way. It
 * is the payout of an order whose refund is planned, or the refund of one whose payout is planned.
 */
const maySettleTheOrder = and(ne(unknownPayments.asset, payments.asset), wentToOrder);

/**
 * A payment that must not be made, because an unknown payment may be this one, or may already have ended its order.
 */
type PossibleDuplicate = { payment: PaymentRow; unknown: UnknownPayment };

/**
 * Lists possible duplicates. Duplicates of unknown payments in the same asset come first, because they are the most
 * likely.
 */
export function listPossibleDuplicates(db: Database, condition: SQL | undefined): Promise<PossibleDuplicate[]> {
  return db
    .select({ payment: payments, unknown: unknownPayments })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .innerJoin(unknownPayments, or(mayBeSamePayment, maySettleTheOrder))
    .where(condition)
    .orderBy(desc(eq(unknownPayments.asset, payments.asset)));
}

/** The unknown payments that a payment may duplicate and that an operator has not accounted for yet. */
export function listUnresolvedDuplicates(db: Database, paymentId: string): Promise<PossibleDuplicate[]> {
  return listPossibleDuplicates(db, and(eq(payments.id, paymentId), isNull(unknownPayments.resolvedAt)));
}

/** The ids of the planned payments with exactly the address and the amount of an unknown payment. */
export async function listExactMatches(db: Database, asset: AssetSymbol, hash: string): Promise<string[]> {
  const sameTransfer = and(eq(unknownPayments.address, payments.address), eq(unknownPayments.amount, payments.amount));
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .innerJoin(unknownPayments, and(eq(unknownPayments.asset, payments.asset), sameTransfer))
    .where(and(eq(unknownPayments.asset, asset), eq(unknownPayments.hash, hash), eq(payments.status, "planned")));
  return rows.map(({ id }) => id);
}

/** The unknown payment with one of these hashes that an operator has not accounted for yet. */
export async function findUnresolved(db: Database, hashes: string[]): Promise<UnknownPayment | undefined> {
  const [unknown] = await db
    .select()
    .from(unknownPayments)
    .where(and(inArray(unknownPayments.hash, hashes), isNull(unknownPayments.resolvedAt)));
  return unknown;
}

/** The unknown payment with this hash, whether accounted for or not. */
export async function findUnknown(
  db: Database,
  { asset, hash }: Pick<UnknownPayment, "asset" | "hash">,
): Promise<UnknownPayment | undefined> {
  const isThis = and(eq(unknownPayments.asset, asset), eq(unknownPayments.hash, hash));
  const [unknown] = await db.select().from(unknownPayments).where(isThis);
  return unknown;
}

/** How the address of an unknown payment begins if its receiver is not known. */
export const unknownReceiver = "the address with the hash";

/** Something is held for the order, so a refund may be planned at any time. */
const isHeld = sql`exists (select from ${ledgerAccounts} where ${isHeldForOrder})`;

/**
 * SQL condition: an order may still be paid or refunded, because it is open, one of its deposits may still be credited,
 * one of its payments is planned, or money is held for it.
 */
const isUnsettled = or(
  inArray(orders.status, openStatuses),
  sql`exists (select from ${deposits} where ${and(eq(deposits.orderId, orders.id), mayBeCredited)})`,
  sql`exists (select from ${payments} where ${payments.orderId} = ${orders.id} and ${payments.status} = 'planned')`,
  isHeld,
);

type Candidate = { hash: string; id: string; quoteId: number; status: OrderStatus };

/** The orders that unresolved unknown payments may belong to: those in progress first, then the newest. */
export function listCandidates(db: Database): Promise<Candidate[]> {
  return db
    .select({ hash: unknownPayments.hash, id: orders.id, quoteId: orders.quoteId, status: orders.status })
    .from(unknownPayments)
    .innerJoin(orders, wentToOrder)
    .where(isNull(unknownPayments.resolvedAt))
    .orderBy(desc(inArray(orders.status, openStatuses)), desc(orders.createdAt));
}

/**
 * Why an unknown payment may be for an order of this database, which could then be paid or refunded a second time; null
 * if it cannot be for one. The deposit of that order may not have been read yet since the backup was restored.
 */
export async function findReasonToKeep(
  db: Database,
  { asset, hash, address, foundAt }: UnknownPayment,
): Promise<string | null> {
  for (const chain of assetSymbols)
    if (!(await hasReadSince(db, chain, foundAt)))
      return `The exchange has not read the ${chain} chain since it found this payment, so it may be for an order whose deposit is not known yet. Wait.`;
  if (address.startsWith(unknownReceiver)) return "Its receiver is not known, so it may be for any order.";
  const isThis = and(eq(unknownPayments.asset, asset), eq(unknownPayments.hash, hash));
  const [order] = await db
    .select({ id: orders.id, status: orders.status })
    .from(unknownPayments)
    .innerJoin(orders, wentToOrder)
    .where(and(isThis, isUnsettled))
    .limit(1);
  return order
    ? `It went to an address of order ${order.id} (${order.status}), and may be for that order: compare it with "operate order ${order.id}".`
    : null;
}

/** The hashes of unknown payments of exactly this amount to exactly this address, whether accounted for or not. */
export async function listSameTransfers(
  db: Database,
  { asset, address, amount }: Pick<PaymentRow, "asset" | "address" | "amount">,
): Promise<string[]> {
  const rows = await db
    .select({ hash: unknownPayments.hash })
    .from(unknownPayments)
    .where(
      and(eq(unknownPayments.asset, asset), eq(unknownPayments.address, address), eq(unknownPayments.amount, amount)),
    );
  return rows.map(({ hash }) => hash);
}

/** Which of these hashes are stored as hashes of unknown payments, whether accounted for or not. */
export async function findStoredHashes(db: Database, asset: AssetSymbol, hashes: string[]): Promise<string[]> {
  const rows = await db
    .select({ hash: unknownPayments.hash })
    .from(unknownPayments)
    .where(and(eq(unknownPayments.asset, asset), inArray(unknownPayments.hash, hashes)));
  return rows.map(({ hash }) => hash);
}

/**
 * The addresses to which an asset may be paid: for orders that are not final, and for refunds of what others still
 * hold.
 */
export async function listPayableAddresses(db: Database, asset: AssetSymbol): Promise<string[]> {
  const open = inArray(orders.status, [...openStatuses, "expired"]);
  const rows = await db
    .selectDistinct({ address: orders.deliveryAddress })
    .from(orders)
    .where(and(open, eq(orders.targetAsset, asset)))
    .union(
      db
        .selectDistinct({ address: orders.refundAddress })
        .from(orders)
        .where(and(or(open, isHeld), eq(orders.sourceAsset, asset))),
    );
  return rows.map(({ address }) => address);
}
