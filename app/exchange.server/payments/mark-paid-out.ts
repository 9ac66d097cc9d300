import { and, eq } from "drizzle-orm";
import { toRateFloor } from "../../lib/money";
import type { ExchangeContext } from "../context";
import { hasReadSince } from "../db/chain-state";
import type { Database } from "../db/database";
import { type DepositRow, deposits } from "../db/schema/deposits";
import type { OrderRow } from "../db/schema/orders";
import { hasNotFailed, type PaymentRow, payments } from "../db/schema/payments";
import { mayBeCredited, toDepositState } from "../deposits/deposit-state";
import { ExchangeError } from "../errors";
import { getHeldAmount } from "../orders/held-deposits";
import { reopenOrder } from "../orders/holds/hold";
import { fillOrder } from "../orders/payouts-and-refunds/fill";
import { withdrawRefund } from "../orders/payouts-and-refunds/plan-refund";
import { lockOrderRow } from "../orders/transition";
import { findUnknown, type UnknownPayment } from "./history/unknown-payments";
import { bookUnrecordedPayment, lockTransactionHash, requireOwnTransaction } from "./mark-paid";

/**
 * Completes an order whose payout our wallet has made and this database has lost: the owner had accepted the payment or
 * a new price, or the deposit arrived in time, before a backup was restored. Everything that is held for the order
 * counts as swapped for that payout. The agreed fee is not known, so none is booked. A refund that is planned is
 * withdrawn.
 *
 * @throws not_found; conflict if the order is not waiting for a decision, on hold or being refunded, or it has a payout
 *   or a signed payment; invalid if our wallet has made no such payment to the order's delivery address, the
 *   transaction is another payment's, or more deposits may be credited; liquidity
 */
export async function markPaidOut(
  tx: Database,
  ctx: ExchangeContext,
  { orderId, hash }: { orderId: string; hash: string },
): Promise<void> {
  await lockTransactionHash(tx, hash);
  const order = await lockOrderRow(tx, orderId);
  const made = await findMade(tx, order, hash);
  await requireAllCredited(tx, order, made);
  const refunds = await listUnfailed(tx, orderId);
  if (refunds.some(({ purpose, status }) => purpose !== "refund" || status !== "planned"))
    throw new ExchangeError("conflict");
  const at = await ctx.clock.now(tx);
  const open = await reopenOrder(tx, ctx, order, { reason: "This swap was paid out already.", at });
  for (const refund of refunds) await withdrawRefund(tx, refund, { reason: "the order was paid out already", at });
  const held = await getHeldAmount(tx, order);
  if (held === 0n) throw new ExchangeError("conflict");
  const filled = await fillOrder(tx, ctx, open, {
    price: {
      sourceAmount: held,
      feeAmount: 0n,
      targetAmount: made.amount,
      rate: toRateFloor(held, made.amount, { source: order.sourceAsset, target: order.targetAsset }),
    },
    at,
    reason: { paid: made.hash },
  });
  const [payout] = await listUnfailed(tx, orderId);
  if (!payout) throw new ExchangeError("conflict");
  await requireOwnTransaction(tx, payout, made.hash);
  await bookUnrecordedPayment(tx, ctx, { payment: payout, order: filled, hash: made.hash, amount: payout.amount, at });
}

/**
 * Deposits credited later would be refunded in addition to the payout. So every deposit that the chain had when the
 * payout was found must have been read and credited. @throws invalid
 */
async function requireAllCredited(tx: Database, order: OrderRow, made: UnknownPayment): Promise<void> {
  const isRead = await hasReadSince(tx, order.sourceAsset, made.foundAt);
  const [expected] = await tx
    .select()
    .from(deposits)
    .where(and(eq(deposits.orderId, order.id), mayBeCredited))
    .limit(1);
  if (isRead && expected === undefined) return;
  const todo = expected
    ? toTodo(expected)
    : `wait until the exchange has read the ${order.sourceAsset} chain since then.`;
  throw new ExchangeError("invalid", { message: `More deposits of this order may be credited: ${todo}` });
}

/** What to do about a deposit that may still be credited. */
function toTodo(deposit: DepositRow): string {
  const { id } = deposit;
  const state = toDepositState(deposit);
  if (state === "pending") return `wait until deposit ${id} is confirmed.`;
  if (state === "missing") return `deposit ${id} is missing. If it is lost, write it off.`;
  return `deposit ${id} has left the chain and is looked for, for at least a day and until its address is empty. Collect what is at the order's address.`;
}

/** The unknown payment with this hash, if it went to the order's delivery address. @throws invalid */
async function findMade(tx: Database, order: OrderRow, hash: string): Promise<UnknownPayment> {
  const made = await findUnknown(tx, { asset: order.targetAsset, hash });
  if (made?.address === order.deliveryAddress) return made;
  const message = `No unknown payment ${hash} went to the delivery address of this order: "operate status" lists them.`;
  throw new ExchangeError("invalid", { message });
}

/** The payments of an order that were made or may still be made. */
function listUnfailed(tx: Database, orderId: string): Promise<PaymentRow[]> {
  return tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), hasNotFailed));
}
