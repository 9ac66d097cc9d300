import { and, count, eq, gt, isNotNull, isNull, lte, max, or, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { addMs, minuteMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { consolidations, isSignedPayment, payments } from "../db/schema/payments";
import { invariant } from "../errors";

/** How long payments wait for a consolidation that is not sent. One that keeps failing must not block them. */
const consolidationWaitMs = minuteMs;

/**
 * A digest that changes whenever something else that may spend our outputs is signed. It covers the signed payments,
 * when the last payment was confirmed, and how many consolidations there are, because they are never deleted.
 */
export async function digestSigned(tx: Database, asset: AssetSymbol): Promise<string> {
  const ofAsset = eq(payments.asset, asset);
  const confirmed = tx
    .select({ at: max(payments.confirmedAt) })
    .from(payments)
    .where(ofAsset);
  const consolidated = tx.select({ count: count() }).from(consolidations).where(eq(consolidations.asset, asset));
  const signed = sql`string_agg(${payments.hash}, ',' order by ${payments.hash})`;
  const [row] = await tx
    .select({ digest: sql<string>`md5(concat_ws(' ', ${signed}, (${confirmed}), (${consolidated})))` })
    .from(payments)
    .where(and(ofAsset, isSignedPayment));
  invariant(row, "an aggregate has one row");
  return row.digest;
}

/**
 * What a signer's payments that are not in a block yet will take from its balance. Parked ones may never do so, and
 * don't count.
 */
export async function sumOutgoing(tx: Database, signer: string): Promise<bigint> {
  const isInNoBlock = or(
    and(isSignedPayment, eq(payments.confirmations, 0), isNull(payments.parkedAt)),
    and(eq(payments.status, "confirmed"), isNotNull(payments.missingSince)),
  );
  const [row] = await tx
    .select({ amount: sql<string>`coalesce(sum(${payments.amount}), 0)::text` })
    .from(payments)
    .where(and(eq(payments.signer, signer), isInNoBlock));
  return BigInt(row?.amount ?? "0");
}

/** How long a cancellation may fail to be sent before new swaps stop, and an operator is alerted. */
export const cancellationPatienceMs = minuteMs;

const isUnsentCancellation = and(
  eq(payments.status, "prepared"),
  isNotNull(payments.parkedAt),
  isNotNull(payments.cancellation),
  isNull(payments.cancellationSentAt),
);

/**
 * Whether the network has accepted neither a payment nor its cancellation for a long time, so that all other payments
 * of its asset wait.
 */
export async function hasUnsentCancellation(db: Database, asset: AssetSymbol, now: Date): Promise<boolean> {
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.asset, asset),
        isUnsentCancellation,
        // A time in the future means that the clock was corrected.
        or(lte(payments.parkedAt, addMs(now, -cancellationPatienceMs)), gt(payments.parkedAt, now)),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/**
 * Whether something is signed that the network has not accepted yet: a payment, the cancellation of a parked one, or a
 * new consolidation. Until it has, nothing else is signed, because it could use the same nonce or outputs. A parked
 * payment without a cancellation does not count, because its nonce or inputs don't block anything.
 */
export async function hasUnsent(tx: Database, { clock }: ExchangeContext, asset: AssetSymbol): Promise<boolean> {
  const now = await clock.now(tx);
  const { createdAt } = consolidations;
  // A time in the future means that the clock was corrected.
  const isNew = and(gt(createdAt, addMs(now, -consolidationWaitMs)), lte(createdAt, addMs(now, consolidationWaitMs)));
  const unsentConsolidations = tx
    .select({ id: consolidations.id })
    .from(consolidations)
    .where(and(eq(consolidations.asset, asset), eq(consolidations.status, "prepared"), isNew));
  const unsentPayments = tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.asset, asset),
        or(and(eq(payments.status, "prepared"), isNull(payments.parkedAt)), isUnsentCancellation),
      ),
    );
  return (await unsentConsolidations.unionAll(unsentPayments).limit(1)).length > 0;
}
