import { clearAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import { voidOffers } from "../pricing/quotes";
import { endHold } from "./hold";
import { moveToHold } from "./put-on-hold";
import type { OrderRow } from "./transition";

/**
 * Moves an order that is on hold or being refunded back to `needs_decision`, from which it can be filled. The caller
 * withdraws its refunds and fills it in the same transaction.
 * @throws conflict if it is in another state
 */
export async function reopenOrder(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { reason, at }: { reason: string; at: Date },
): Promise<OrderRow> {
  await voidOffers(tx, order.id, at);
  await clearAlert(tx, `order:${order.id}`);
  if (order.status === "needs_decision") return order;
  const onHold = order.status === "refunding" ? await moveToHold(tx, ctx, order, { cause: { reason }, at }) : order;
  if (onHold.status !== "on_hold") throw new ExchangeError("conflict");
  return endHold(tx, onHold, { to: "needs_decision", at, set: { decisionChoice: null, decidedBy: null } });
}
