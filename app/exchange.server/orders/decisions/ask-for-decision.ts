import { addMs } from "../../../lib/durations";
import type { DecisionReason } from "../../../lib/order-states";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import { deleteOffer } from "../../pricing/quotes";
import { notifyDecisionNeeded } from "../owner-mails/decision-mail";
import { wasLastKept } from "../owner-mails/set-aside-mail";
import { releaseReserve } from "../payouts-and-refunds/fill";
import { recordEvent, transition } from "../transition";

/**
 * Moves an order to `needs_decision` and e-mails its owner. If the order is already in that state, updates the reason.
 * Its owner then gets an e-mail only if the reason, and so the choices, have changed, or if there was too little for
 * any choice.
 */
export async function askForDecision(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { reason, at }: { reason: DecisionReason; at: Date },
): Promise<OrderRow> {
  await deleteOffer(tx, order.offerQuoteId);
  const event = { kind: "decision_needed" as const, data: { reason }, at };
  if (order.status === "needs_decision") {
    const hadChoice = order.decisionReason === reason && !(await wasLastKept(tx, order.id));
    const again = await recordEvent(tx, order.id, { ...event, set: { decisionReason: reason, offerQuoteId: null } });
    if (!hadChoice) await notifyDecisionNeeded(tx, ctx, again, at);
    return again;
  }
  // Only an order that can still be filled at its locked rate keeps its reserve.
  if (reason !== "underpaid" && reason !== "below_minimum") await releaseReserve(tx, order, at);
  const decisionDeadline = addMs(at, ctx.config.decisionTtlMs);
  const asked = await transition(tx, order, "needs_decision", {
    ...event,
    set: { decisionReason: reason, decisionDeadline, offerQuoteId: null },
  });
  await notifyDecisionNeeded(tx, ctx, asked, at);
  return asked;
}
