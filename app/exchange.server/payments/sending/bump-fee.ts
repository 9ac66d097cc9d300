import { and, eq, or } from "drizzle-orm";
import type { PreparedPayment } from "../../chains/gateway";
import type { RunningContext } from "../../context";
import { isSignedPayment, isUnchanged, type PaymentRow, payments } from "../../db/schema/payments";
import { requirePrepared } from "../require-prepared";

/**
 * Raises the fee of a payment in any state in which it may still be included, as far as `ChainGateway.bumpPayment` allows.
 * The new version has the same nonce and is stored before it is sent.
 * @returns the new version, or null if the fee need not or cannot be raised
 */
export async function bumpFee(
  ctx: RunningContext,
  payment: PaymentRow,
  options: { refused?: boolean } = {},
): Promise<PreparedPayment | null> {
  const current = requirePrepared(payment);
  const bumped = await ctx.chains[payment.asset].bumpPayment(current, options);
  if (!bumped) return null;
  const at = await ctx.clock.now(ctx.db);
  const stored = await ctx.db
    .update(payments)
    .set({
      prepared: bumped,
      hash: bumped.hash,
      superseded: [...payment.superseded, current],
      updatedAt: at,
    })
    .where(and(isUnchanged(payment), or(isSignedPayment, eq(payments.status, "confirmed"))))
    .returning({ id: payments.id });
  return stored.length === 1 ? bumped : null;
}
