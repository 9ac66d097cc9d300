import { useState, useSyncExternalStore } from "react";
import type { Order } from "~/api/contract";
import { isTooLittle } from "~/swaps/order-rules";
import { toMissing } from "~/swaps/order-sums";
import { onStoredPayment, readStoredPayment, type StoredPayment } from "~/wallet/stored-payment";
import { type EndedPayment, isPayable } from "./situation";

/**
 * A payment of what is due that a wallet in this browser has sent or was asked for, and that the exchange has not seen
 * yet. While there is one, the page must not ask for a payment.
 * @param chainId the chain to pay on, if it is known
 */
export function usePaymentUnderWay(order: Order, chainId: number | null, nowMs: number): StoredPayment | null {
  const stored = useStoredPayment(order);
  if (!stored || (chainId !== null && stored.chainId !== chainId)) return null;
  return isUnderWay(order, stored, nowMs) ? stored : null;
}

/**
 * The payment that was under way until it failed, or was cancelled or replaced in the wallet. The page reports that until
 * another payment is made or arrives, or the order's status changes, even if it can no longer be paid.
 */
export function useEndedPayment(order: Order, underWay: StoredPayment | null): EndedPayment | null {
  const stored = useStoredPayment(order);
  const due = `${order.status} ${toMissing(order)}`;
  const [last, setLast] = useState<{ payment: StoredPayment | null; due: string }>({ payment: underWay, due });
  if (underWay && last.payment !== underWay) setLast({ payment: underWay, due });
  const { payment } = last;
  if (stored !== null || payment === null || payment.state === "asked" || last.due !== due) return null;
  return { payment, dismiss: () => setLast({ payment: null, due }) };
}

function useStoredPayment({ funding_address }: Order): StoredPayment | null {
  return useSyncExternalStore(
    onStoredPayment,
    () => readStoredPayment(funding_address),
    () => null,
  );
}

/**
 * When the order no longer accepts a payment, a request without a response can be ignored, but not a payment that was
 * sent.
 */
function isUnderWay(order: Order, { state }: StoredPayment, nowMs: number): boolean {
  if (state === "dropped" || toMissing(order) === "0") return false;
  if (state === "asked") return isPayable(order, nowMs);
  const isAwaited =
    order.status === "awaiting_deposit" ||
    order.status === "confirming" ||
    (order.status === "needs_decision" && isTooLittle(order));
  return isAwaited && !order.incoming_txs.some(({ hash }) => hash?.toLowerCase() === state);
}
