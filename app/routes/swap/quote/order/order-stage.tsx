import type { ReactNode } from "react";
import { Antelope } from "~/components/brand/antelope";
import { SwapAgain } from "~/components/order/swap-again";
import { paths } from "~/lib/paths";
import { toReceived, toShownStatus } from "~/swaps/order-sums";
import { ButtonLink } from "~/ui/button";
import { visuallyHidden } from "~/ui/visually-hidden.css";
import { DecisionPanel } from "./decision-panel";
import { HoldAdvice, UnverifiedNote, useIsUnverified } from "./hold-advice";
import { NotificationOffer } from "./notification-offer";
import * as styles from "./order.css";
import { useOrderView } from "./order-view";
import { PayPanel, type PayPanelProps } from "./pay-panel";
import type { NotificationState } from "./use-notifications";

/** What to do now in each state of the order, with a picture to match. */
export function OrderStage({ notifications }: { notifications: NotificationState }) {
  const { order, situation } = useOrderView();
  const again = paths.direction(order.source_asset_symbol, { amount: order.source_amount });
  const showsPayment = situation.underWay !== null || situation.ended !== null || situation.canPay;
  const waiting = (
    <Scene>
      <Antelope pose="grazing" />
    </Scene>
  );
  // The page will ask what to do with the payment, so a new price is not what matters most.
  const newPrice = order.status === "expired" && toReceived(order) !== "0" ? "secondary" : "primary";
  switch (toShownStatus(order)) {
    case "awaiting_deposit":
      return showsPayment ? <FirstPayment /> : waiting;
    case "needs_decision":
      return <DecisionPanel />;
    case "confirming":
      return (
        <>
          {showsPayment ? <HowToPay /> : waiting}
          <NotificationOffer notifications={notifications} isSecondary={situation.canPay && !situation.underWay} />
        </>
      );
    case "paying_out":
    case "refunding":
      return (
        <>
          {waiting}
          <NotificationOffer notifications={notifications} />
        </>
      );
    case "on_hold":
      return (
        <>
          <HoldAdvice />
          {waiting}
        </>
      );
    case "completed":
      return (
        <>
          <Scene>
            <Antelope pose="leaping" leap />
          </Scene>
          <SwapAgain order={order} kind="primary" size="large" full />
        </>
      );
    case "expired":
    case "cancelled":
    case "refunded":
      return (
        <>
          <Scene>
            <Antelope pose={order.status === "refunded" ? "grazing" : "looking"} />
          </Scene>
          <ButtonLink className={styles.screenOnly} to={again} kind={newPrice} size="large" full>
            Get a new price
          </ButtonLink>
        </>
      );
  }
}

function Scene({ children }: { children: ReactNode }) {
  return <div className={styles.scene}>{children}</div>;
}

/** A customer who is not verified should not pay yet, so the page does not emphasise paying. */
function FirstPayment() {
  const { situation } = useOrderView();
  const isTooEarly = useIsUnverified() && situation.canPay && situation.underWay === null;
  return (
    <>
      {isTooEarly ? <UnverifiedNote /> : null}
      <HowToPay isSecondary={isTooEarly} />
    </>
  );
}

/** The ways to pay, with a heading for visitors who navigate by headings. */
function HowToPay(props: PayPanelProps) {
  const { underWay, canPay } = useOrderView().situation;
  return (
    <>
      <h2 className={visuallyHidden}>{underWay || !canPay ? "Your payment" : "How to pay"}</h2>
      <PayPanel {...props} />
    </>
  );
}
