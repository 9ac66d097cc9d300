import { and, eq, isNull, or } from "drizzle-orm";
import type { Database } from "../../db/database";
import { unknownPayments } from "../../db/schema/history";
import { payments } from "../../db/schema/payments";

/** SQL condition: an unknown payment has the address or the amount of this payment, so it may be this payment. */
export const mayBeSamePayment = and(
  eq(unknownPayments.asset, payments.asset),
  or(eq(unknownPayments.address, payments.address), eq(unknownPayments.amount, payments.amount)),
);

/** Whether, as far as this database knows, the wallet may already have made a payment. */
export async function mayHaveBeenMade(db: Database, paymentId: string): Promise<boolean> {
  const [made] = await db
    .select({ hash: unknownPayments.hash })
    .from(payments)
    .innerJoin(unknownPayments, and(mayBeSamePayment, isNull(unknownPayments.resolvedAt)))
    .where(eq(payments.id, paymentId))
    .limit(1);
  return made !== undefined;
}
