import { toOneLine } from "../../lib/one-line";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { type OrderRow, transition } from "./transition";

/** Moves a locked, funded order to `on_hold`. `reason` is shown to the owner. See `holdOrder`. */
export async function putOnHold(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { reason, at }: { reason: string; at: Date },
): Promise<OrderRow> {
  return transition(tx, order, "on_hold", {
    kind: "held",
    data: { reason },
    at,
    set: {
      holdReason: toOneLine(reason),
      heldFrom: order.status,
      holdDeadline: new Date(at.getTime() + ctx.config.decisionTtlMs),
    },
  });
}
