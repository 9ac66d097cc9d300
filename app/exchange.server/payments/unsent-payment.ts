import { and, eq, isNotNull, isNull, or } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { Database } from "../db/database";
import { payments } from "../db/schema/payments";

/**
 * Whether a payment, or the cancellation of a parked one, has not been taken by the network yet.
 * A parked payment without a cancellation does not count: its nonce or inputs block nothing.
 */
export async function hasUnsentPayment(tx: Database, asset: AssetSymbol): Promise<boolean> {
  const [row] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.asset, asset),
        eq(payments.status, "prepared"),
        or(isNull(payments.parkedAt), and(isNotNull(payments.cancellation), isNull(payments.cancellationSentAt))),
      ),
    )
    .limit(1);
  return row !== undefined;
}
