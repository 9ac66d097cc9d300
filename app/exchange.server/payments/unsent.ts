import { and, eq, gt, isNotNull, isNull, or } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { consolidations, payments } from "../db/schema/payments";

/** How long payments wait for a consolidation that could not be sent: a failure of one must not delay them longer. */
const mergeWaitMs = 60_000;

/**
 * Whether the network has not taken something yet that was signed before: a payment, the cancellation of a parked one,
 * or a new consolidation. Nothing else is signed meanwhile: it could use the same nonce or outputs. A parked payment
 * without a cancellation does not count: its nonce or inputs block nothing.
 */
export async function hasUnsent(tx: Database, { clock }: ExchangeContext, asset: AssetSymbol): Promise<boolean> {
  const since = new Date((await clock.now(tx)).getTime() - mergeWaitMs);
  const [merge] = await tx
    .select({ id: consolidations.id })
    .from(consolidations)
    .where(
      and(eq(consolidations.asset, asset), eq(consolidations.status, "prepared"), gt(consolidations.createdAt, since)),
    )
    .limit(1);
  return merge !== undefined || hasUnsentPayment(tx, asset);
}

async function hasUnsentPayment(tx: Database, asset: AssetSymbol): Promise<boolean> {
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
