import type { Order } from "~/api/contract";
import { canSendRest, canTopUp, isGrace, type OrderStanding, toStanding } from "~/swaps/order-rules";
import type { StoredPayment } from "~/wallet/stored-payment";
import type { OrderPageData } from "../loader.server";

export type EndedPayment = {
  payment: StoredPayment;
  /** The customer pays again, so that the page no longer reports it. */
  dismiss(): void;
};

/** The payments that wallets in this browser have made for the order. */
type OwnPayments = {
  /** A payment that the exchange has not seen yet. */
  underWay: StoredPayment | null;
  /** The last payment under way, if it has failed or was cancelled. */
  ended: EndedPayment | null;
};

/** What applies to an order now, and what its page offers. */
export type OrderSituation = OwnPayments &
  OrderStanding & {
    /** The page may ask for what is missing, unless a payment is under way. */
    canPay: boolean;
    /** The page could ask for it, but was loaded without an address to pay to. */
    lacksAddress: boolean;
    /** There is time left to pay, and this browser has not paid yet. A decision has its own deadline. */
    showsTimeToPay: boolean;
    /** Nothing has been paid, as far as this browser knows. */
    canCancel: boolean;
  };

export function toSituation(
  order: Order,
  { pay, rates }: Pick<OrderPageData, "pay" | "rates">,
  nowMs: number,
  payments: OwnPayments,
): OrderSituation {
  const { underWay } = payments;
  const standing = toStanding(order, rates, nowMs);
  const isUnpaid = order.status === "awaiting_deposit" && !standing.isInGrace;
  const isSent = underWay !== null && underWay.state !== "asked";
  return {
    ...payments,
    ...standing,
    canPay: isPayable(order, nowMs) && pay !== null,
    lacksAddress: isPayable(order, nowMs) && pay === null,
    showsTimeToPay: (isUnpaid || canSendRest(order, nowMs)) && !isSent,
    canCancel: isUnpaid && underWay === null,
  };
}

/** Whether the page may invite to pay what is missing. */
export function isPayable(order: Order, nowMs: number): boolean {
  if (order.status === "awaiting_deposit") return !isGrace(order, nowMs);
  return canSendRest(order, nowMs) || canTopUp(order, nowMs);
}
