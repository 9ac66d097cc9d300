import type { Order } from "~/api/contract";
import { Moment } from "~/components/locale/moment";
import { toRefund } from "~/components/order/order-sums";
import { toPayoutWait } from "~/components/order/order-words";
import { toClockText, toDurationWords } from "~/lib/durations";
import { CountdownRing } from "~/ui/countdown-ring";
import { Note } from "~/ui/note";

type Props = {
  order: Order;
  nowMs: number;
  /** Nothing more is to be sent: the time is over, or this browser has paid. */
  closed: boolean;
  /** What sending back costs, a decimal. */
  refundCost: string;
};

/** By when: whatever runs out for this order, and what happens then. */
export function OrderTimes({ order, nowMs, closed, refundCost }: Props) {
  if (closed) return null;
  if (order.status === "awaiting_deposit") return <TimeToPay order={order} nowMs={nowMs} />;
  if (order.status === "needs_decision" && order.decision) {
    return (
      <Note tone="waiting" title={`${toDurationWords(Date.parse(order.decision.deadline) - nowMs)} to decide`}>
        <p>
          Until <Moment at={order.decision.deadline} />. If you say nothing, it{" "}
          {toRefund(order, refundCost) === "0" ? "stays held for this swap" : "is sent back to you"}.
        </p>
      </Note>
    );
  }
  if (order.status === "on_hold" && order.hold) {
    return (
      <Note tone="waiting" title={`${toDurationWords(Date.parse(order.hold.deadline) - nowMs)} at most`}>
        <p>
          If it is not settled by <Moment at={order.hold.deadline} />, your money is sent back to you.
        </p>
      </Note>
    );
  }
  const paidFrom = toPayoutWait(order, nowMs);
  if (paidFrom && ["confirming", "paying_out"].includes(order.status)) {
    return (
      <Note tone="waiting" title={`Paid out in ${toDurationWords(Date.parse(paidFrom) - nowMs)}`}>
        <p>
          Your account was recovered a short while ago, so payouts wait until <Moment at={paidFrom} />. That protects
          you if it was somebody else.
        </p>
      </Note>
    );
  }
  return null;
}

function TimeToPay({ order, nowMs }: Pick<Props, "order" | "nowMs">) {
  const leftMs = Date.parse(order.expires_at) - nowMs;
  const total = Date.parse(order.expires_at) - Date.parse(order.created_at);
  return (
    <Note tone="waiting" icon={<CountdownRing left={leftMs} total={total} />}>
      Price locked, {toClockText(leftMs)} left to pay
    </Note>
  );
}
