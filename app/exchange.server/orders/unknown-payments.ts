import { and, eq, isNull, or } from "drizzle-orm";
import type { Database } from "../db/database";
import { unknownPayments } from "../db/schema/history";
import { payments } from "../db/schema/payments";
import type { PaymentRow } from "./plan-payments";

/*
 * Payments of our wallet that this database does not know, for example after a backup was restored.
 */

/**
 * The condition that an unknown payment, which no operator has accounted for yet, may be this payment: it went to the
 * same address, or has the same amount.
 */
export const mayBeTheSame = and(
  eq(unknownPayments.asset, payments.asset),
  isNull(unknownPayments.resolvedAt),
  or(eq(unknownPayments.address, payments.address), eq(unknownPayments.amount, payments.amount)),
);

/** Whether the wallet may have made a payment already, for all that this database knows. */
export async function mayBeMadeBefore(db: Database, paymentId: string): Promise<boolean> {
  const [found] = await db
    .select({ hash: unknownPayments.hash })
    .from(payments)
    .innerJoin(unknownPayments, mayBeTheSame)
    .where(eq(payments.id, paymentId))
    .limit(1);
  return found !== undefined;
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
