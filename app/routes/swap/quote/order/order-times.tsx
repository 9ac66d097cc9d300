import type { Order } from "~/api/contract";
import { DateTime } from "~/components/locale/date-time";
import { formatDuration, minuteMs, toClockText } from "~/lib/durations";
import { isSlow, toPayoutDelay, toRefundCost, toRefundDelay } from "~/swaps/order-rules";
import { toRefund } from "~/swaps/order-sums";
import { CountdownRing } from "~/ui/countdown-ring";
import { Note } from "~/ui/note";
import { Dated, type DatedProps } from "../dated";
import { AskAbout } from "./ask-about";
import * as styles from "./order.css";
import { useOrderView } from "./order-view";

/** The deadline that applies to the order now, and what happens then. */
export function OrderTimes() {
  const { order, page, situation, nowMs } = useOrderView();
  const refundCost = toRefundCost(order, page.rates);
  const paidFrom = toPayoutDelay(order, nowMs);
  const refundedFrom = toRefundDelay(order, nowMs);
  /** The refund at a deadline may have to wait, for example until the wallet responds. */
  const isPast = (deadline: string) => Date.parse(deadline) <= nowMs;
  const toTimeLeft = (at: string) => formatDuration(Date.parse(at) - nowMs);
  if (order.status === "awaiting_deposit") {
    if (!situation.showsTimeToPay) return null;
    return (
      <>
        <TimeToPay />
        {paidFrom ? (
          <Dated title={`Payout in ${toTimeLeft(paidFrom)}`} prefix="On" at={paidFrom}>
            Your account was recovered recently, so payouts of new swaps are delayed. The price stays locked. If you
            don't want to wait, cancel this swap before you pay.
          </Dated>
        ) : null}
      </>
    );
  }
  if (order.status === "needs_decision" && order.decision) {
    const { deadline } = order.decision;
    if (situation.isStuck) {
      return (
        <p className={styles.deadline}>
          <strong>There is nothing you need to do</strong>
        </p>
      );
    }
    const { choices } = order.decision;
    return (
      <>
        <div className={styles.deadline}>
          <p>
            <strong>{isPast(deadline) ? "The time to decide is over" : `${toTimeLeft(deadline)} to decide`}</strong>
          </p>
          <p>
            {isPast(deadline) ? "It ended on" : "Until"} <DateTime at={deadline} show="day-time-and-zone" />.
          </p>
          <p>
            {isPast(deadline) ? "You can still choose. Otherwise" : "If you don't choose"},{" "}
            {toRefundText(order, refundCost)}.
          </p>
        </div>
        {paidFrom && choices.some((choice) => choice !== "refund") ? (
          <PayoutDelay title={`If you swap: payout in ${toTimeLeft(paidFrom)}`} at={paidFrom} />
        ) : null}
      </>
    );
  }
  if (order.status === "on_hold" && order.hold) {
    const { deadline } = order.hold;
    if (isPast(deadline)) {
      return (
        <Dated title="The hold has ended" prefix="On" at={deadline}>
          Next, {toRefundText(order, refundCost)}.
        </Dated>
      );
    }
    return (
      <Dated title={`On hold for up to ${toTimeLeft(deadline)}`} prefix="Until" at={deadline}>
        If it isn't resolved by then, {toRefundText(order, refundCost)}. If we need longer, we extend the hold before
        then and e-mail you.
      </Dated>
    );
  }
  return (
    <>
      {situation.showsTimeToPay ? <TimeToPay /> : null}
      {paidFrom && ["confirming", "paying_out"].includes(order.status) ? (
        <PayoutDelay title={`Payout in ${toTimeLeft(paidFrom)}`} at={paidFrom} />
      ) : null}
      {refundedFrom ? (
        <Dated title={`Refund in ${toTimeLeft(refundedFrom)}`} prefix="On" at={refundedFrom}>
          To protect you, the refund waits until then, because its address was changed a short time ago.
        </Dated>
      ) : null}
      {isSlow(order, nowMs) ? (
        <Note tone="waiting" title="This is taking longer than usual">
          <p>
            Your money is safe, and our team is looking into it. If we need something from you, we'll e-mail you.{" "}
            <AskAbout />
          </p>
        </Note>
      ) : null}
    </>
  );
}

/** A payout of an order that has been paid. */
function PayoutDelay({ title, at }: Pick<DatedProps, "title" | "at">) {
  return (
    <Dated title={title} prefix="On" at={at}>
      To protect you, the payout waits until then: your account was recovered, or the payout address was changed, a
      short time ago.
    </Dated>
  );
}

/** What happens at the deadline without a decision. */
function toRefundText(order: Order, cost: string): string {
  return toRefund(order, cost) === "0"
    ? "we'll hold your money until the fee is low enough to send it back"
    : "we refund you, less the network fee";
}

/** How many minutes before the deadline the remaining time is announced, shortest first. */
const announcedMinutes = [1, 5, 10];

/** Changes only when one of the announced times begins, for a live region. */
export function toTimeLeftText(order: Order, nowMs: number): string {
  const leftMs = Date.parse(order.expires_at) - nowMs;
  const minutes = announcedMinutes.find((limit) => leftMs <= limit * minuteMs);
  return minutes === undefined ? "" : `Less than ${minutes === 1 ? "a minute" : `${minutes} minutes`} left to pay.`;
}

function TimeToPay() {
  const { order, nowMs } = useOrderView();
  const leftMs = Date.parse(order.expires_at) - nowMs;
  const total = Date.parse(order.expires_at) - Date.parse(order.created_at);
  return (
    <Note tone="waiting" icon={<CountdownRing left={leftMs} total={total} />}>
      <p>{`Price locked, ${toClockText(leftMs)} left to pay`}</p>
    </Note>
  );
}
