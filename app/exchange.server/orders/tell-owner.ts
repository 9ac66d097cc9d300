import { eq } from "drizzle-orm";
import { formatAmount } from "../../lib/money";
import type { DecisionReason } from "../../lib/order-states";
import { accounts } from "../accounts/tables";
import type { ExchangeContext, Mail } from "../context";
import type { Database } from "../db/database";
import { type SwapFacts, swapCompletedMail, swapNeedsDecisionMail, swapRefundedMail } from "../mail/messages";
import { queueMail } from "../mail/outbox";
import type { PaymentRow } from "./plan-payments";
import { getHeldDeposits } from "./queries";
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
    swapCompletedMail(to, { ...factsOf(order, payout), address: payout.address, hash: payout.hash ?? "" }),
  );
}

export async function tellRefunded(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  refund: PaymentRow,
): Promise<void> {
  await tell(tx, x, order, (to) =>
    swapRefundedMail(to, { ...factsOf(order, refund), address: refund.address, hash: refund.hash ?? "" }),
  );
}

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

function factsOf(order: OrderRow, payment: PaymentRow): SwapFacts {
  return { orderId: order.id, asset: payment.asset, amount: formatAmount(payment.amount, payment.asset) };
}

async function tell(tx: Database, x: ExchangeContext, order: OrderRow, write: (to: string) => Mail): Promise<void> {
  const [owner] = await tx.select({ email: accounts.email }).from(accounts).where(eq(accounts.id, order.accountId));
  if (owner) await queueMail(tx, x, write(owner.email), await x.clock.now(tx));
}
