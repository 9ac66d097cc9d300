import { and, eq, isNull, or } from "drizzle-orm";
import type { Database } from "../db/database";
import { unknownPayments } from "../db/schema/history";
import { payments } from "../db/schema/payments";

/*
 * Payments of our wallet that this database does not know, for example after a backup was restored, and that no
 * operator has accounted for yet.
 */

/** The condition that an unknown payment may be this payment: it went to the same address, or has the same amount. */
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
