import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { voidOffers } from "../pricing/quotes";
import { clearAlert } from "../switches/alerts";
import { releaseReserve } from "./fill";
import { planRefund } from "./plan-payments";
import { getHeldDeposits, hasOpenPayments } from "./queries";
import { type OrderRow, transition } from "./transition";

/**
 * Plans one refund for each deposit that is held for the order and moves it to `refunding`. `by` is
 * "clock" when a deadline has passed.
 */
export async function refundOrder(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { by, at }: { by: "user" | "clock" | "operator"; at: Date },
): Promise<OrderRow> {
  await voidOffers(tx, order.id, at);
  await clearAlert(tx, `order:${order.id}`);
  await releaseReserve(tx, order, at);
  const refunding = await transition(tx, order, "refunding", {
    kind: "decided",
    data: { choice: "refund", by },
    at,
    set: {
      decisionChoice: "refund",
      decidedBy: by,
      decisionReason: null,
      decisionDeadline: null,
      offerQuoteId: null,
      holdReason: null,
      heldFrom: null,
      holdDeadline: null,
    },
  });
  let planned = 0;
  for (const deposit of await getHeldDeposits(tx, order.id)) {
    const refund = { order: refunding, depositId: deposit.id, amount: deposit.left, part: "all", at } as const;
    if (await planRefund(tx, ctx, refund)) planned += 1;
  }
  // Every deposit costs more to refund than it is worth, so no payment will end the order.
  if (planned === 0 && !(await hasOpenPayments(tx, order.id)))
    return transition(tx, refunding, "refunded", { kind: "refunded", data: { nothing_sent: true }, at });
  return refunding;
}
