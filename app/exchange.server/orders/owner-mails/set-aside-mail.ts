import { formatAmount } from "../../../lib/money";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import { hasNotFailed } from "../../db/schema/payments";
import { swapNotRefundedMail } from "../../mail/messages/swap";
import { hasPayment, listLatestEvents } from "../queries";
import { recordEvent } from "../transition";
import { describeSwap, notifyOwner } from "./notify-owner";

/**
 * Records that `amount`, which is held for an order, is set aside because a refund costs more. Queues an e-mail in two
 * cases only: for the first such amount, so that dust cannot cause many e-mails, and for an order that ends without the
 * refund that its owner was offered in the meantime.
 */
export async function reportKept(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { amount, at }: { amount: bigint; at: Date },
): Promise<void> {
  const wasAsked = order.status === "refunding" && !(await wasLastKept(tx, order.id));
  await recordEvent(tx, order.id, { kind: "kept_below_cost", data: { amount: amount.toString() }, at });
  if (!wasAsked && (await listLatestEvents(tx, order.id, ["kept_below_cost"])).length > 1) return;
  const asset = order.sourceAsset;
  const isExtra = await hasPayment(tx, order.id, hasNotFailed);
  await notifyOwner(tx, ctx, { order, kind: isExtra ? "kept" : "not_refunded" }, (to) =>
    swapNotRefundedMail(to, { ...describeSwap(ctx, order), asset, amount: formatAmount(amount, asset), isExtra }),
  );
}

/** Whether the owner was told that the held amount is set aside, and has not been asked for a decision since. */
export async function wasLastKept(tx: Database, orderId: string): Promise<boolean> {
  const [last] = await listLatestEvents(tx, orderId, ["kept_below_cost", "decision_needed"]);
  return last?.kind === "kept_below_cost";
}
