import { addMs } from "../../../lib/durations";
import { toOneLine } from "../../../lib/one-line";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import { notifyOnHold } from "../owner-mails/hold-mails";
import { transition } from "../transition";
import { type OwnerProblem, problemTexts } from "./owner-check";

/** Why an order is on hold: a problem of its owner, or text to show to the owner. */
export type HoldCause = { problem: OwnerProblem } | { reason: string };

type Hold = { cause: HoldCause; at: Date };

/** Moves a locked, funded order to `on_hold` and e-mails its owner. See `holdOrder`. */
export async function putOnHold(tx: Database, ctx: ExchangeContext, order: OrderRow, hold: Hold): Promise<OrderRow> {
  const onHold = await moveToHold(tx, ctx, order, hold);
  await notifyOnHold(tx, ctx, onHold, { isExtended: false });
  return onHold;
}

/** Like `putOnHold`, but without the e-mail: for an order that does not stay on hold. */
export async function moveToHold(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { cause, at }: Hold,
): Promise<OrderRow> {
  const problem = "problem" in cause ? cause.problem : null;
  const reason = "problem" in cause ? problemTexts[cause.problem] : cause.reason;
  return transition(tx, order, "on_hold", {
    kind: "held",
    data: { reason },
    at,
    set: {
      holdReason: toOneLine(reason),
      holdProblem: problem,
      heldFrom: order.status,
      holdDeadline: addMs(at, ctx.config.decisionTtlMs),
    },
  });
}
