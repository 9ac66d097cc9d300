import { eq } from "drizzle-orm";
import { joinSentences } from "../../lib/join-sentences";
import type { Database } from "../db/database";
import { alerts } from "../db/schema/alerts";
import { payments } from "../db/schema/payments";
import { readOrder, toPaymentLine } from "./order-report";

const openPayments = ["planned", "prepared", "sent"];

/** The status of an order after a command, and what each of its open payments waits for. */
export async function describeOutcome(tx: Database, orderId: string): Promise<string[]> {
  const order = await readOrder(tx, orderId);
  if (order === null) return [];
  const wait = order.hold ?? order.decision;
  const open = order.payments.filter(({ status }) => openPayments.includes(status));
  const lines: string[] = [];
  for (const payment of open) lines.push(await describeOpen(tx, payment, Boolean(order.hold)));
  const isUnpaid = order.status === "refunded" && order.payments.every(({ status }) => status !== "confirmed");
  return [
    `order ${order.number} (${orderId}): ${order.status}${wait?.deadline ? ` until ${wait.deadline}` : ""}`,
    ...(isUnpaid ? ["Nothing is sent now: what is held is less than the cost of a refund."] : []),
    ...lines,
  ];
}

type OpenPayment = NonNullable<Awaited<ReturnType<typeof readOrder>>>["payments"][number];

async function describeOpen(tx: Database, payment: OpenPayment, isHeld: boolean): Promise<string> {
  const { id, isParked } = payment;
  const line = toPaymentLine(payment);
  if (isHeld) return `${line}; it waits for the end of the hold`;
  return isParked ? `${line} and parked: ${await readAdvice(tx, id)}` : `${line}${await readWait(tx, id)}`;
}

/** The same for the order of a payment. */
export async function describePaymentOutcome(tx: Database, paymentId: string): Promise<string[]> {
  const [payment] = await tx.select({ orderId: payments.orderId }).from(payments).where(eq(payments.id, paymentId));
  return payment ? describeOutcome(tx, payment.orderId) : [];
}

async function readAdvice(tx: Database, paymentId: string): Promise<string> {
  const [alert] = await tx
    .select()
    .from(alerts)
    .where(eq(alerts.subject, `payment:${paymentId}`));
  return alert ? joinSentences(alert.reason, alert.action) : 'see "operate status"';
}

async function readWait(tx: Database, paymentId: string): Promise<string> {
  const [payment] = await tx.select({ until: payments.notBefore }).from(payments).where(eq(payments.id, paymentId));
  return payment?.until ? `; it waits until ${payment.until.toISOString()}` : "";
}
