import type { Order } from "~/api/contract";
import { GrazingAntelope } from "~/components/brand/grazing-antelope";
import { LeapingAntelope } from "~/components/brand/leaping-antelope";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { canSendRest } from "~/components/order/order-rules";
import { SwapAgain } from "~/components/order/swap-again";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { visuallyHidden } from "~/ui/visually-hidden.css";
import { DecisionPanel } from "./decision-panel";
import { HoldAdvice } from "./hold-advice";
import type { OrderData } from "./load.server";
import { NotificationOffer } from "./notification-offer";
import * as styles from "./order.css";
import { PayPanel } from "./pay-panel";
import type { NotificationState } from "./use-notifications";

type Props = {
  order: Order;
  data: OrderData;
  nowMs: number;
  isInGrace: boolean;
  /** A wallet in this browser has sent what is due now. */
  isSent: boolean;
  notifications: NotificationState;
  action: string;
  onPaying(isPaying: boolean): void;
};

/** What to do now in each state of the order, with a picture to match. */
export function OrderStage({ order, data, nowMs, isInGrace, isSent, notifications, action, onPaying }: Props) {
  const again = paths.direction(order.source_asset_symbol, { amount: order.source_amount });
  switch (order.status) {
    case "awaiting_deposit":
      return data.pay && (isSent || !isInGrace) ? (
        <>
          <PayHeading isSent={isSent} />
          <PayPanel order={order} data={data} pay={data.pay} isPaying={isSent} onPaying={onPaying} />
        </>
      ) : (
        <div className={styles.scene}>
          <GrazingAntelope size="medium" />
        </div>
      );
    case "needs_decision":
      return (
        <DecisionPanel order={order} data={data} nowMs={nowMs} action={action} isSent={isSent} onPaying={onPaying} />
      );
    case "confirming":
      return (
        <>
          {data.pay && (isSent || canSendRest(order, nowMs)) ? (
            <>
              <PayHeading isSent={isSent} />
              <PayPanel order={order} data={data} pay={data.pay} isPaying={isSent} onPaying={onPaying} />
            </>
          ) : (
            <div className={styles.scene}>
              <GrazingAntelope size="medium" />
            </div>
          )}
          <NotificationOffer notifications={notifications} />
        </>
      );
    case "paying_out":
    case "refunding":
      return (
        <>
          <div className={styles.scene}>
            <GrazingAntelope size="medium" />
          </div>
          <NotificationOffer notifications={notifications} />
        </>
      );
    case "on_hold":
      return (
        <>
          <HoldAdvice order={order} kycStatus={data.kycStatus} />
          <div className={styles.scene}>
            <GrazingAntelope size="medium" />
          </div>
        </>
      );
    case "completed":
      return (
        <>
          <div className={styles.scene}>
            <LeapingAntelope size="medium" leap />
          </div>
          <SwapAgain order={order} kind="primary" size="large" full />
        </>
      );
    case "expired":
    case "cancelled":
    case "refunded":
      return (
        <>
          <div className={styles.scene}>
            {order.status === "refunded" ? <GrazingAntelope size="medium" /> : <LookingAntelope size="medium" />}
          </div>
          <ButtonLink className={styles.screenOnly} to={again} kind="primary" size="large" full>
            Get a new price
          </ButtonLink>
        </>
      );
  }
}

/** For visitors who navigate by headings. */
function PayHeading({ isSent }: { isSent: boolean }) {
  return <h2 className={visuallyHidden}>{isSent ? "Your payment" : "How to pay"}</h2>;
}
