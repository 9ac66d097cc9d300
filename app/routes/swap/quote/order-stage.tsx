import type { Order } from "~/api/contract";
import { GrazingAntelope } from "~/components/brand/grazing-antelope";
import { LeapingAntelope } from "~/components/brand/leaping-antelope";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { canSendRest } from "~/components/order/order-rules";
import { SwapAgain } from "~/components/order/swap-again";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { visuallyHidden } from "~/ui/visually-hidden.css";
import type { StoredPayment } from "~/wallet/stored-payment";
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
  /** A payment of this browser that the exchange has not seen yet. */
  underWay: StoredPayment | null;
  notifications: NotificationState;
  action: string;
};

/** What to do now in each state of the order, with a picture to match. */
export function OrderStage({ order, data, nowMs, isInGrace, underWay, notifications, action }: Props) {
  const again = paths.direction(order.source_asset_symbol, { amount: order.source_amount });
  switch (order.status) {
    case "awaiting_deposit":
      return underWay || (data.pay && !isInGrace) ? (
        <>
          <PayHeading isUnderWay={underWay !== null} />
          <PayPanel order={order} data={data} underWay={underWay} />
        </>
      ) : (
        <div className={styles.scene}>
          <GrazingAntelope size="medium" />
        </div>
      );
    case "needs_decision":
      return <DecisionPanel order={order} data={data} nowMs={nowMs} action={action} underWay={underWay} />;
    case "confirming":
      return (
        <>
          {underWay || (data.pay && canSendRest(order, nowMs)) ? (
            <>
              <PayHeading isUnderWay={underWay !== null} />
              <PayPanel order={order} data={data} underWay={underWay} />
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
function PayHeading({ isUnderWay }: { isUnderWay: boolean }) {
  return <h2 className={visuallyHidden}>{isUnderWay ? "Your payment" : "How to pay"}</h2>;
}
