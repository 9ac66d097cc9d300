import type { ReactNode } from "react";
import type { Order } from "~/api/contract";
import { Antelope } from "~/components/brand/antelope";
import { toReceived, toShownStatus } from "~/components/order/order-sums";
import { SwapAgain } from "~/components/order/swap-again";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { visuallyHidden } from "~/ui/visually-hidden.css";
import type { StoredPayment } from "~/wallet/stored-payment";
import type { OrderPageData } from "../loader.server";
import { DecisionPanel } from "./decision-panel";
import { HoldAdvice, UnverifiedNote, useIsUnverified } from "./hold-advice";
import { NotificationOffer } from "./notification-offer";
import * as styles from "./order.css";
import { PayPanel, type PayPanelProps } from "./pay-panel";
import type { NotificationState } from "./use-notifications";
import { isPayable, useEndedPayment } from "./use-payment-under-way";

type Props = {
  order: Order;
  page: OrderPageData;
  nowMs: number;
  /** What has arrived is too little for either a swap or a refund. */
  isStuck: boolean;
  /** A payment of this browser that the exchange has not seen yet. */
  underWay: StoredPayment | null;
  notifications: NotificationState;
  action: string;
};

/** What to do now in each state of the order, with a picture to match. */
export function OrderStage({ order, page, nowMs, isStuck, underWay, notifications, action }: Props) {
  const again = paths.direction(order.source_asset_symbol, { amount: order.source_amount });
  const ended = useEndedPayment(order, underWay);
  const canPay = page.pay !== null && isPayable(order, nowMs);
  const payment = { order, page, underWay, ended, canPay };
  const showsPayment = underWay !== null || ended !== null || canPay;
  const waiting = (
    <Scene>
      <Antelope pose="grazing" size="medium" />
    </Scene>
  );
  // The page will ask what to do with the payment, so a new price is not what matters most.
  const newPrice = order.status === "expired" && toReceived(order) !== "0" ? "secondary" : "primary";
  switch (toShownStatus(order)) {
    case "awaiting_deposit":
      return showsPayment ? <FirstPayment {...payment} /> : waiting;
    case "needs_decision":
      return <DecisionPanel {...payment} nowMs={nowMs} isStuck={isStuck} action={action} />;
    case "confirming":
      return (
        <>
          {showsPayment ? <HowToPay {...payment} /> : waiting}
          <NotificationOffer notifications={notifications} />
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
          <HoldAdvice order={order} kycStatus={page.kycStatus} nowMs={nowMs} />
          {waiting}
        </>
      );
    case "completed":
      return (
        <>
          <Scene>
            <Antelope pose="leaping" size="medium" leap />
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
            {order.status === "refunded" ? (
              <Antelope pose="grazing" size="medium" />
            ) : (
              <Antelope pose="looking" size="medium" />
            )}
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

/** A customer who is not verified should not pay yet, so paying is not what stands out. */
function FirstPayment(payment: PayPanelProps) {
  const { order, page, underWay, canPay } = payment;
  const isTooEarly = useIsUnverified(page.kycStatus) && canPay && underWay === null;
  return (
    <>
      {isTooEarly ? <UnverifiedNote order={order} /> : null}
      <HowToPay {...payment} isSecondary={isTooEarly} />
    </>
  );
}

/** The ways to pay, with a heading for visitors who navigate by headings. */
function HowToPay(payment: PayPanelProps) {
  return (
    <>
      <h2 className={visuallyHidden}>{payment.underWay || !payment.canPay ? "Your payment" : "How to pay"}</h2>
      <PayPanel {...payment} />
    </>
  );
}
