import { and, eq, inArray, ne } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { unknownPayments } from "../db/schema/history";
import { payments } from "../db/schema/payments";
import { ExchangeError } from "../errors";
import { fillOrder } from "../orders/fill";
import { type PaymentRow, withdrawRefund } from "../orders/plan-payments";
import { getHeldAmount } from "../orders/queries";
import { reopenOrder } from "../orders/reopen";
import { lockOrder, type OrderRow } from "../orders/transition";
import type { UnknownPayment } from "../orders/unknown-payments";
import { bookMade, requireOwnTransaction } from "./parked";

/**
 * Completes an order whose payout our wallet has made and this database has forgotten: the owner had accepted the payment
 * or a new price, or it arrived in time, before a backup was restored. Everything that is held for the order counts as
 * swapped for that payout. The fee that was agreed is forgotten too, so none is booked. A refund that is planned is
 * withdrawn.
 *
 * @param hashes the ways to write the transaction's hash
 * @throws not_found; conflict if the order is not waiting for a decision, on hold or being refunded, or a payment of it
 *   was signed or is a payout; invalid if our wallet has made no such payment to the order's delivery address, or the
 *   transaction is another payment's; liquidity
 */
export async function markPaidOut(
  tx: Database,
  ctx: ExchangeContext,
  { orderId, hashes }: { orderId: string; hashes: string[] },
): Promise<void> {
  // Two payments must not be booked with one transaction, even at the same time.
  for (const hash of hashes) await lockFor(tx, `paid:${hash}`);
  const order = await lockOrder(tx, orderId);
  const made = await findMade(tx, order, hashes);
  const refunds = await listOpenPayments(tx, orderId);
  if (refunds.some(({ purpose, status }) => purpose !== "refund" || status !== "planned"))
    throw new ExchangeError("conflict");
  const at = await ctx.clock.now(tx);
  for (const refund of refunds) await withdrawRefund(tx, refund, { reason: "the order was paid out already", at });
  const open = await reopenOrder(tx, ctx, order, { reason: "This swap was paid out already.", at });
  const filled = await fillOrder(tx, ctx, open, {
    price: {
      sourceAmount: await getHeldAmount(tx, order),
      feeAmount: 0n,
      targetAmount: made.amount,
      rate: order.rate,
    },
    at,
    by: { paid: made.hash },
  });
  const [payout] = await listOpenPayments(tx, orderId);
  if (!payout) throw new ExchangeError("conflict");
  await requireOwnTransaction(tx, payout, made.hash);
  await bookMade(tx, ctx, { payment: payout, order: filled, hash: made.hash, at });
}

/** The unknown payment with one of these hashes, if it went to the order's delivery address. @throws invalid */
async function findMade(tx: Database, order: OrderRow, hashes: string[]): Promise<UnknownPayment> {
  const [made] = await tx
    .select()
    .from(unknownPayments)
    .where(
      and(
        eq(unknownPayments.asset, order.targetAsset),
        inArray(unknownPayments.hash, hashes),
        eq(unknownPayments.address, order.deliveryAddress),
      ),
    );
  if (made) return made;
  const message = `No unknown payment ${hashes[0]} went to the delivery address of this order: "operate status" lists them.`;
  throw new ExchangeError("invalid", { message });
}

function listOpenPayments(tx: Database, orderId: string): Promise<PaymentRow[]> {
  return tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), ne(payments.status, "failed")));
}
