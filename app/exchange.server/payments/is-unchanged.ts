import { and, eq, isNull } from "drizzle-orm";
import { payments } from "../db/schema/payments";
import type { PaymentRow } from "../orders/queries";

/** The condition that a payment has the status and the bytes that `payment` was read with (T59). */
export function isUnchanged(payment: PaymentRow) {
  return and(
    eq(payments.id, payment.id),
    eq(payments.status, payment.status),
    payment.hash === null ? isNull(payments.hash) : eq(payments.hash, payment.hash),
  );
}
