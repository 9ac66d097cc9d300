import { and, asc, eq } from "drizzle-orm";
import { formatAmount } from "../../lib/money";
import type { DecisionReason } from "../../lib/order-states";
import { accounts } from "../accounts/tables";
import type { ExchangeContext, Mail } from "../context";
import type { Database } from "../db/database";
import {
  moneyReturnedMail,
  type Sent,
  swapCompletedMail,
  swapNeedsDecisionMail,
  swapRefundedMail,
} from "../mail/messages";
import { queueMail } from "../mail/outbox";
import type { PaymentRow } from "./plan-payments";
import { getHeldDeposits } from "./queries";
import { payments } from "./tables";
import type { OrderRow } from "./transition";

/** What came, in words for the mail that asks for a decision. */
const reasonWords = {
  late: "Your payment came after the time to pay was over, so the locked rate no longer holds.",
  below_minimum: "What you sent is below the smallest swap.",
  underpaid: "What you sent is less than the swap needs.",
  above_maximum: "What you sent is above the largest swap.",
  payout_failed: "The payout could not be made. Nothing was sent.",
} as const satisfies Record<DecisionReason, string>;

/** Mails about an order go out if and only if the change that they tell of commits. */
export async function tellCompleted(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  payout: PaymentRow,
): Promise<void> {
  await tell(tx, x, order, (to) =>
    swapCompletedMail(to, { orderId: order.id, asset: payout.asset, ...toSent(payout) }),
  );
}

/** Every deposit went back by a payment of its own: the mail tells of all of them. */
export async function tellRefunded(tx: Database, x: ExchangeContext, order: OrderRow): Promise<void> {
  const refunds = await tx
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, order.id), eq(payments.purpose, "refund"), eq(payments.status, "confirmed")))
    .orderBy(asc(payments.confirmedAt), asc(payments.id));
  const asset = order.sourceAsset;
  const amount = formatAmount(
    refunds.reduce((sum, refund) => sum + refund.amount, 0n),
    asset,
  );
  await tell(tx, x, order, (to) => swapRefundedMail(to, { orderId: order.id, asset, amount }, refunds.map(toSent)));
}

/** A surplus, or what came to an order that was over: its state does not change, and its owner hears of it. */
export async function tellReturned(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  refund: PaymentRow,
): Promise<void> {
  await tell(tx, x, order, (to) =>
    moneyReturnedMail(to, { orderId: order.id, asset: refund.asset, ...toSent(refund) }),
  );
}

/** The mail that asks the owner to choose; goes with the transaction that made the decision needed. */
export async function tellDecisionNeeded(tx: Database, x: ExchangeContext, order: OrderRow): Promise<void> {
  const { decisionReason, decisionDeadline } = order;
  if (decisionReason === null || decisionDeadline === null) return;
  const held = await getHeldDeposits(tx, order.id);
  const received = held.reduce((sum, deposit) => sum + deposit.left, 0n);
  await tell(tx, x, order, (to) =>
    swapNeedsDecisionMail(to, {
      orderId: order.id,
      asset: order.sourceAsset,
      amount: formatAmount(received, order.sourceAsset),
      reason: reasonWords[decisionReason],
      deadline: decisionDeadline,
    }),
  );
}

function toSent({ amount, asset, address, hash }: PaymentRow): Sent {
  return { amount: formatAmount(amount, asset), address, hash };
}

async function tell(tx: Database, x: ExchangeContext, order: OrderRow, write: (to: string) => Mail): Promise<void> {
  const [owner] = await tx.select({ email: accounts.email }).from(accounts).where(eq(accounts.id, order.accountId));
  if (owner) await queueMail(tx, x, write(owner.email), await x.clock.now(tx));
}
