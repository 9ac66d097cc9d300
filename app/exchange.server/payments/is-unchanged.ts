import { and, eq, isNull } from "drizzle-orm";
import { type PaymentRow, payments } from "../db/schema/payments";

/** SQL condition: a payment still has the status, the address and the bytes that it had when it was read (T59). */
export function isUnchanged(payment: PaymentRow) {
  return and(
    eq(payments.id, payment.id),
    eq(payments.status, payment.status),
    eq(payments.address, payment.address),
    payment.hash === null ? isNull(payments.hash) : eq(payments.hash, payment.hash),
  );
}
