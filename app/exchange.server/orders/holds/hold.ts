import { and, desc, eq } from "drizzle-orm";
import { addMs } from "../../../lib/durations";
import { toOneLine } from "../../../lib/one-line";
import type { OrderStatus } from "../../../lib/order-states";
import { clearAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { type OrderRow, orderEvents } from "../../db/schema/orders";
import { isSignedPayment } from "../../db/schema/payments";
import { ExchangeError, invariant } from "../../errors";
import { advanceOrder } from "../advance-order";
import { notifyDecisionNeeded } from "../owner-mails/decision-mail";
import { notifyOnHold, notifyReleased } from "../owner-mails/hold-mails";
import { dropProgressMail } from "../owner-mails/notify-owner";
import { endRefunding } from "../payouts-and-refunds/refund";
import { hasPayment } from "../queries";
import { lockOrderRow, notOnHold, recordEvent, transition } from "../transition";
import { getOwnerProblem } from "./owner-check";
import { type HoldCause, moveToHold, putOnHold } from "./put-on-hold";

export const holdable = ["confirming", "needs_decision", "paying_out", "refunding"] as const;
type HoldableStatus = (typeof holdable)[number];

/** The states in which a released order continues without a decision by its owner. */
const continuing: ReadonlySet<OrderStatus> = new Set(["confirming", "paying_out", "refunding"]);

/**
 * Puts a funded order on hold. `releaseOrder` ends the hold; at its deadline the order is refunded. An order that is
 * already on hold keeps its reason, with one exception: an operator's reason replaces a problem with the owner, because
 * such a hold may end automatically. If both texts are the same, nothing changes.
 * @throws not_found, conflict if the order is not funded or a payment of it is prepared or sent
 */
export async function holdOrder(
  tx: Database,
  ctx: ExchangeContext,
  orderId: string,
  cause: HoldCause,
): Promise<OrderRow> {
  const order = await lockOrderRow(tx, orderId);
  const at = await ctx.clock.now(tx);
  if (order.status === "on_hold") {
    if ("problem" in cause || order.holdProblem === null) return order;
    const { reason } = cause;
    const holdReason = toOneLine(reason);
    // `extendHold` then extends it, and it is still released once its owner may swap.
    if (holdReason === order.holdReason) return order;
    const set = { holdReason, holdProblem: null };
    return recordEvent(tx, orderId, { kind: "held", data: { reason }, at, set });
  }
  if (!isHoldable(order) || (await hasPayment(tx, orderId, isSignedPayment))) throw new ExchangeError("conflict");
  return putOnHold(tx, ctx, order, { cause, at });
}

/** Restarts the full time of a hold, for the same reason, and e-mails its owner the later deadline. */
export async function extendHold(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { reason }: { reason: string },
): Promise<OrderRow> {
  const at = await ctx.clock.now(tx);
  const data = { reason };
  const set = { holdDeadline: addMs(at, ctx.config.decisionTtlMs) };
  const extended = await recordEvent(tx, order.id, { kind: "held", data, at, set });
  await clearAlert(tx, `hold:${order.id}`);
  // The alert about a refund that failed at the deadline.
  await clearAlert(tx, `order:${order.id}`);
  await notifyOnHold(tx, ctx, extended, { isExtended: true });
  return extended;
}

/**
 * Moves an order back to the status before its hold, and e-mails its owner. While its owner may not swap, it can only be
 * refunded. If its last refund was made during the hold, it becomes `refunded`.
 * @throws not_found, conflict if it is not on hold, kyc_required if its owner may not swap
 */
export async function releaseOrder(tx: Database, ctx: ExchangeContext, orderId: string): Promise<OrderRow> {
  const order = await lockOrderRow(tx, orderId);
  const to = holdable.find((status) => status === order.heldFrom);
  if (order.status !== "on_hold" || !to) throw new ExchangeError("conflict");
  if (to !== "refunding" && (await getOwnerProblem(tx, order.accountId)) !== null) {
    throw new ExchangeError("kyc_required", {
      message: "The owner of this order is blocked or not verified: refund the order instead.",
    });
  }
  const at = await ctx.clock.now(tx);
  const released = await endHold(tx, order, { to, at });
  await dropProgressMail(tx, ctx, order.id);
  if (to === "confirming") await advanceOrder(tx, ctx, released, at);
  // The deadline has moved by the time on hold.
  if (to === "needs_decision") await notifyDecisionNeeded(tx, ctx, released, at);
  const continued =
    to === "refunding" ? await endRefunding(tx, ctx, released, { at }) : await lockOrderRow(tx, released.id);
  // In all other cases, another e-mail asks the owner for a decision or says how the order ended. If the payment has
  // left the chain, the order waits for it again, and the owner gets an e-mail when that wait ends.
  if (continuing.has(continued.status)) await notifyReleased(tx, ctx, continued);
  return continued;
}

/**
 * Moves an order that is on hold back to a status that it may have been held from. The time on hold does not count for
 * its decision, because its owner could not decide then. `set` are further columns.
 */
export async function endHold(
  tx: Database,
  order: OrderRow,
  { to, at, set }: { to: HoldableStatus; at: Date; set?: Partial<Pick<OrderRow, "decisionChoice" | "decidedBy">> },
): Promise<OrderRow> {
  await clearAlert(tx, `order:${order.id}`);
  return transition(tx, order, to, {
    kind: "released",
    at,
    set: { ...set, ...notOnHold, decisionDeadline: await toLaterDeadline(tx, order, at) },
  });
}

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
  await clearAlert(tx, `order:${order.id}`);
  if (order.status === "needs_decision") return order;
  const onHold = order.status === "refunding" ? await moveToHold(tx, ctx, order, { cause: { reason }, at }) : order;
  if (onHold.status !== "on_hold") throw new ExchangeError("conflict");
  return endHold(tx, onHold, { to: "needs_decision", at, set: { decisionChoice: null, decidedBy: null } });
}

/** The deadline of an order's decision, later by the time that the order has been on hold. */
async function toLaterDeadline(tx: Database, { id, decisionDeadline }: OrderRow, at: Date): Promise<Date | null> {
  if (decisionDeadline === null) return null;
  const [hold] = await tx
    .select({ at: orderEvents.at })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, id), eq(orderEvents.toStatus, "on_hold")))
    .orderBy(desc(orderEvents.id))
    .limit(1);
  invariant(hold, "an order on hold has an event that says so");
  // A hold that begins in the future was made before the database's clock was corrected (T61).
  return addMs(decisionDeadline, Math.max(0, at.getTime() - hold.at.getTime()));
}

function isHoldable(order: OrderRow): boolean {
  return holdable.some((status) => status === order.status);
}
