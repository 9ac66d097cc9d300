import { and, desc, eq, gt, inArray, isNotNull, isNull, or, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { consolidations, payments } from "../db/schema/payments";

/** How long payments wait for a consolidation that is not sent, so that one that keeps failing does not block them. */
const consolidationWaitMs = 60_000;

/** The newest consolidation. What was built before a newer one was stored may spend the same outputs. */
export async function getNewestConsolidation(tx: Database, asset: AssetSymbol): Promise<string | null> {
  const [newest] = await tx
    .select({ id: consolidations.id })
    .from(consolidations)
    .where(eq(consolidations.asset, asset))
    .orderBy(desc(consolidations.createdAt), desc(consolidations.id))
    .limit(1);
  return newest?.id ?? null;
}

/** The last change of a payment on its way. What was built before a newer one was stored may spend the same outputs. */
export async function getNewestPayment(tx: Database, asset: AssetSymbol): Promise<string | null> {
  const [newest] = await tx
    .select({ changed: sql<string | null>`max(${payments.updatedAt})::text` })
    .from(payments)
    .where(and(eq(payments.asset, asset), inArray(payments.status, ["prepared", "sent"])));
  return newest?.changed ?? null;
}

/**
 * Whether something is signed that the network has not accepted yet: a payment, the cancellation of a parked one, or a
 * new consolidation. Nothing else is signed meanwhile: it could use the same nonce or outputs. A parked payment
 * without a cancellation does not count: its nonce or inputs block nothing.
 */
export async function hasUnsent(tx: Database, { clock }: ExchangeContext, asset: AssetSymbol): Promise<boolean> {
  const since = new Date((await clock.now(tx)).getTime() - consolidationWaitMs);
  const unsentConsolidations = tx
    .select({ id: consolidations.id })
    .from(consolidations)
    .where(
      and(eq(consolidations.asset, asset), eq(consolidations.status, "prepared"), gt(consolidations.createdAt, since)),
    );
  const unsentPayments = tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.asset, asset),
        eq(payments.status, "prepared"),
        or(isNull(payments.parkedAt), and(isNotNull(payments.cancellation), isNull(payments.cancellationSentAt))),
      ),
    );
  return (await unsentConsolidations.unionAll(unsentPayments).limit(1)).length > 0;
}
