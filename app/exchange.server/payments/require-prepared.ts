import { type Column, type SQL, sql } from "drizzle-orm";
import type { PreparedPayment } from "../chains/gateway";
import type { PaymentRow } from "../db/schema/payments";

/** The stored `PreparedPayment`. Throws if the payment was never prepared. */
export function requirePrepared(payment: Pick<PaymentRow, "id" | "prepared">): PreparedPayment {
  if (payment.prepared === null) throw new Error(`payment ${payment.id} was never prepared`);
  return payment.prepared;
}

/**
 * The part of a MobileCoin payment that is kept once it is permanently in a block: its hashes, which identify it. The
 * proposal of tens of kilobytes, which is never sent again, is dropped. Ethereum's signed bytes are small, so all of
 * them are kept.
 */
export const withoutRaw = (prepared: Column): SQL => sql`${prepared} - 'raw'`;
