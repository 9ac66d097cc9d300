import { and, eq } from "drizzle-orm";
import { joinSentences } from "../../lib/join-sentences";
import { formatAmount } from "../../lib/money";
import type { Database } from "../db/database";
import { prepareAfterColumn } from "../db/not-before";
import { alerts } from "../db/schema/alerts";
import { openPaymentStatuses, payments } from "../db/schema/payments";
import { getHeldAmount } from "../orders/held-deposits";
import { type OrderReport, readOrder, toPaymentLine } from "./order-report";

/** The status of an order after a command, and what it or each of its open payments waits for. */
export async function describeOutcome(tx: Database, orderId: string): Promise<string[]> {
  const order = await readOrder(tx, orderId);
  if (order === null) return [];
  const wait = order.hold ?? order.decision;
  const open = order.payments.filter(({ status }) => openPaymentStatuses.some((one) => one === status));
  const lines: string[] = [];
  for (const payment of open) lines.push(await describeOpen(tx, payment, Boolean(order.hold)));
  const isUnpaid = order.status === "refunded" && order.payments.every(({ status }) => status !== "confirmed");
  return [
    `order ${order.number} (${orderId}): ${order.status}${wait?.deadline ? ` until ${wait.deadline}` : ""}`,
    ...(isUnpaid ? ["Nothing is sent now: what is held is less than the cost of a refund."] : []),
    ...(order.status === "refunding" && open.length === 0 ? await describeWait(tx, order) : []),
    ...lines,
  ];
}

const orSee = 'If that takes half an hour, "operate status" says why, and what to do.';

/** What an order that is being refunded is waiting for if it has no payment. */
async function describeWait(tx: Database, { order: id, source: { asset }, deposits }: OrderReport): Promise<string[]> {
  const held = await getHeldAmount(tx, { id, sourceAsset: asset });
  const pending = deposits.filter(({ status }) => status === "pending");
  return [
    ...(held > 0n
      ? [
          `${formatAmount(held, asset)} ${asset} is refunded once that is known to be more than a refund costs. ${orSee}`,
        ]
      : []),
    ...pending.map(
      (deposit) =>
        `deposit ${deposit.id}: ${deposit.amount} ${asset}, refunded once it has its confirmations. ${orSee}`,
    ),
  ];
}

type OpenPayment = OrderReport["payments"][number];

async function describeOpen(tx: Database, payment: OpenPayment, isHeld: boolean): Promise<string> {
  const { id, isParked } = payment;
  const line = toPaymentLine(payment);
  if (isHeld) return `${line}; it waits for the end of the hold`;
  return isParked ? `${line} and parked: ${await readAdvice(tx, id)}` : `${line}${await readWait(tx, id)}`;
}

/** Like `describeOutcome`, for the order of a payment. */
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
  const [planned] = await tx
    .select({ until: prepareAfterColumn })
    .from(payments)
    .where(and(eq(payments.id, paymentId), eq(payments.status, "planned")));
  return planned?.until ? `; it waits until ${planned.until.toISOString()}` : "";
}
