import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import { swapOnHoldMail, swapReleasedMail } from "../../mail/messages/swap";
import { describeSwap, notifyOwner } from "./notify-owner";

/** Queues the e-mail for an order that was put on hold, or whose hold was extended. */
export async function notifyOnHold(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { isExtended }: { isExtended: boolean },
): Promise<void> {
  const { holdReason, holdDeadline } = order;
  if (holdReason === null || holdDeadline === null) return;
  await notifyOwner(tx, ctx, { order, kind: "on_hold", deadline: holdDeadline }, (to, isBlocked) =>
    swapOnHoldMail(to, {
      ...describeSwap(ctx, order),
      reason: holdReason,
      deadline: holdDeadline,
      // An operator may hold the orders of a blocked account for a reason of their own.
      problem: isBlocked ? "blocked" : order.holdProblem,
      isExtended,
    }),
  );
}

/** Queues the e-mail for an order that is no longer on hold and continues without its owner. */
export async function notifyReleased(tx: Database, ctx: ExchangeContext, order: OrderRow): Promise<void> {
  const isRefund = order.status === "refunding";
  await notifyOwner(tx, ctx, { order, kind: "released" }, (to, isBlocked) =>
    swapReleasedMail(to, { ...describeSwap(ctx, order), isRefund, isBlocked }),
  );
}
