import type { PreparedPayment } from "../chains/gateway";
import type { PaymentRow } from "../orders/queries";

/** The stored `PreparedPayment`. Throws if the payment was never prepared. */
export function requirePrepared(payment: Pick<PaymentRow, "id" | "prepared">): PreparedPayment {
  if (payment.prepared === null) throw new Error(`payment ${payment.id} was never prepared`);
  return payment.prepared;
}
