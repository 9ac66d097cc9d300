import { eq } from "drizzle-orm";
import type { Database } from "../db/database";
import type { OrderRow } from "../db/schema/orders";
import { type PaymentRow, payments } from "../db/schema/payments";
import { ExchangeError } from "../errors";
import { lockOrderRow } from "../orders/transition";

/** A planned payment and its order, which is locked. */
export type Planned = { payment: PaymentRow; order: OrderRow };

/** Locks the order of a payment for which nothing is signed. @throws not_found, conflict */
export async function lockPlanned(tx: Database, paymentId: string): Promise<Planned> {
  const [known] = await tx.select({ orderId: payments.orderId }).from(payments).where(eq(payments.id, paymentId));
  if (!known) throw new ExchangeError("not_found");
  const order = await lockOrderRow(tx, known.orderId);
  const [payment] = await tx.select().from(payments).where(eq(payments.id, paymentId));
  if (payment?.status !== "planned") throw new ExchangeError("conflict");
  return { payment, order };
}
