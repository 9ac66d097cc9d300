import { formatAmount } from "../../../lib/money";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import { type PaymentProblem, paymentGoneMail, paymentSeenMail } from "../../mail/messages/swap";
import { listLatestEvents } from "../queries";
import { describeSwap, notifyOwner, toMissing } from "./notify-owner";

/**
 * Queues the e-mail about the first payment to an order, seen at the time `at`. Later payments don't cause an e-mail.
 */
export async function notifyPaymentSeen(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { amount, isInTime, at }: { amount: bigint; isInTime: boolean; at: Date },
): Promise<void> {
  if ((await listLatestEvents(tx, order.id, ["deposit_seen"])).length > 1) return;
  const asset = order.sourceAsset;
  const missing = toMissing(order, amount);
  const kind = !isInTime ? "payment_late" : missing === null ? "payment_seen" : "payment_short";
  const problem = toPaymentProblem(order, { missing, isInTime, at });
  await notifyOwner(tx, ctx, { order, kind, mutedAs: "payment_seen" }, (to, isBlocked) =>
    paymentSeenMail(to, {
      ...describeSwap(ctx, order),
      asset,
      amount: formatAmount(amount, asset),
      problem,
      isBlocked,
    }),
  );
}

function toPaymentProblem(
  { expiresAt }: OrderRow,
  { missing, isInTime, at }: { missing: string | null; isInTime: boolean; at: Date },
): PaymentProblem | null {
  if (!isInTime) return { isLate: true };
  return missing === null ? null : { isLate: false, missing, sendRestUntil: at < expiresAt ? expiresAt : null };
}

/** Queues the e-mail for an order that ends without money, if its owner was told of a payment. */
export async function notifyPaymentGone(tx: Database, ctx: ExchangeContext, order: OrderRow): Promise<void> {
  if ((await listLatestEvents(tx, order.id, ["deposit_seen"])).length === 0) return;
  await notifyOwner(tx, ctx, { order, kind: "payment_gone" }, (to) => paymentGoneMail(to, describeSwap(ctx, order)));
}
