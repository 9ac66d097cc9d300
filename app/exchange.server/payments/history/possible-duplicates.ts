import { and, eq, isNotNull, isNull } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { joinSentences } from "../../../lib/join-sentences";
import { formatAmount } from "../../../lib/money";
import { clearAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { unknownPayments } from "../../db/schema/history";
import { type PaymentRow, payments } from "../../db/schema/payments";
import { bookFeeByHand } from "../../operator-advice";
import { releasePossibleDuplicate } from "../parked/decide-parked";
import { parkPayment } from "../parked/park";
import { findKnownHashes } from "./known-payments";
import { listPossibleDuplicates, listUnresolvedDuplicates, type UnknownPayment } from "./unknown-payments";

/**
 * Resolves the unknown payments that turned out to be payments of this database, because they were booked with
 * `operate mark-paid` or recognised.
 */
export async function resolveKnown(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const open = await ctx.db
    .select({ hash: unknownPayments.hash })
    .from(unknownPayments)
    .where(and(eq(unknownPayments.asset, asset), isNull(unknownPayments.resolvedAt)));
  const known = await findKnownHashes(
    ctx.db,
    asset,
    open.map(({ hash }) => hash),
  );
  for (const hash of known) await acceptPayment(ctx.db, hash, await ctx.clock.now(ctx.db));
}

/** Records that an unknown payment is accounted for, and ends its alert. */
export async function acceptPayment(db: Database, hash: string, at: Date): Promise<void> {
  await db
    .update(unknownPayments)
    .set({ resolvedAt: at })
    .where(and(eq(unknownPayments.hash, hash), isNull(unknownPayments.resolvedAt)));
  await clearAlert(db, `unknown:${hash}`);
}

/**
 * Parks planned payments that may duplicate an unknown payment: the wallet may have made them already (the same address
 * or amount), or may have ended their order the other way.
 */
export async function parkPossibleDuplicates(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const isWaiting = and(eq(payments.asset, asset), eq(payments.status, "planned"), isNull(payments.parkedAt));
  const rows = await listPossibleDuplicates(ctx.db, and(isWaiting, isNull(unknownPayments.resolvedAt)));
  const parked = new Set<string>();
  for (const { payment, unknown } of rows) {
    if (parked.has(payment.id)) continue;
    parked.add(payment.id);
    await parkDuplicate(ctx, payment, unknown);
  }
}

function parkDuplicate(ctx: ExchangeContext, payment: PaymentRow, unknown: UnknownPayment): Promise<void> {
  return parkPayment(ctx, payment, { ...describeDuplicate(payment, unknown), mayDuplicate: unknown.hash });
}

function describeMatch({ address, amount }: Pick<PaymentRow, "address" | "amount">, unknown: UnknownPayment): string {
  if (unknown.address !== address) return `a payment of the same amount, but to ${unknown.address}`;
  if (unknown.amount === amount) return "a payment of the same amount to the same address";
  return `a payment to the same address, but of ${formatAmount(unknown.amount, unknown.asset)} ${unknown.asset}`;
}

/** Why a payment is parked because of an unknown one, and what the operator should do about it. */
function describeDuplicate(
  { id, orderId, asset, purpose, address, amount }: PaymentRow,
  unknown: UnknownPayment,
): { reason: string; action: string } {
  const { hash } = unknown;
  const fee = bookFeeByHand(unknown.asset);
  const ifNot = `If not, deal with the alert unknown:${hash}. Then run "operate retry ${id}" if this payment is still parked.`;
  if (unknown.asset === asset)
    return {
      reason: `Our wallet may have made it already (${hash}): ${describeMatch({ address, amount }, unknown)}.`,
      action: joinSentences(`If so, run "operate mark-paid ${id} ${hash}".`, fee, ifNot),
    };
  if (purpose === "refund")
    return {
      reason: `Our wallet may have paid out its order already (${hash}).`,
      action: joinSentences(`If so, run "operate mark-paid-out ${orderId} ${hash}".`, fee, ifNot),
    };
  return {
    reason: `Our wallet may have refunded its order already (${hash}).`,
    action: joinSentences(
      `If so, run "operate refund ${orderId}". Once the refund is parked, run "operate mark-paid PAYMENT ${hash}" for it.`,
      fee,
      ifNot,
    ),
  };
}

/**
 * Undoes `parkPossibleDuplicates` for payments whose unknown payment has turned out to be another payment of ours. If another
 * unknown payment may be the parked one, it stays parked because of that other payment.
 */
export async function releaseNotPaid(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const isResolved = and(eq(unknownPayments.asset, asset), isNotNull(unknownPayments.resolvedAt));
  const isParked = and(eq(payments.status, "planned"), isNotNull(payments.parkedAt));
  const rows = await listPossibleDuplicates(ctx.db, and(isResolved, isParked));
  const duplicates = rows.filter(({ payment, unknown }) => payment.mayDuplicate === unknown.hash);
  const known = await findKnownHashes(
    ctx.db,
    asset,
    duplicates.map(({ unknown }) => unknown.hash),
  );
  for (const { payment, unknown } of duplicates) {
    if (!known.has(unknown.hash)) continue;
    const [other] = await listUnresolvedDuplicates(ctx.db, payment.id);
    if (other !== undefined) await parkDuplicate(ctx, payment, other.unknown);
    else await releasePossibleDuplicate(ctx, payment);
  }
}
