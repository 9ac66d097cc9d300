import { type Column, type SQL, sql } from "drizzle-orm";
import type { PreparedPayment } from "../chains/gateway";
import type { PaymentRow } from "../orders/queries";

/** The stored `PreparedPayment`. Throws if the payment was never prepared. */
export function requirePrepared(payment: Pick<PaymentRow, "id" | "prepared">): PreparedPayment {
  if (payment.prepared === null) throw new Error(`payment ${payment.id} was never prepared`);
  return payment.prepared;
}

/**
 * What is kept of a MobileCoin payment that a block has for good: its hashes, by which it is recognised, and not the
 * proposal of tens of kilobytes, which is never sent again. Signed bytes of Ethereum are small, and are all kept.
 */
export const withoutRaw = (prepared: Column): SQL => sql`${prepared} - 'raw'`;
