import { and, eq, isNull } from "drizzle-orm";
import { formatAmount } from "../../../lib/money";
import { isFilled } from "../../../lib/order-states";
import { queueSecurityNotice } from "../../accounts/security-notices";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { accounts } from "../../db/schema/accounts";
import type { OrderRow } from "../../db/schema/orders";
import type { PaymentRow } from "../../db/schema/payments";
import { toExactText } from "../../mail/format";
import {
  moneyReturnedMail,
  paymentReaddressedMail,
  type SentPayment,
  swapCompletedMail,
  swapRefundedMail,
} from "../../mail/messages/swap";
import { describeSwap, notifyOwner } from "./notify-owner";

/** Queues the e-mail for a completed order. Like all e-mails here, it is sent only if the transaction commits. */
export async function notifyCompleted(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  payout: PaymentRow,
): Promise<void> {
  await notifyOwner(tx, ctx, { order, kind: "paid_out" }, (to) =>
    swapCompletedMail(to, { ...describeSwap(ctx, order), asset: payout.asset, ...toSent(payout) }),
  );
}

/**
 * Queues the e-mail for a refunded order. It lists every refund so far: deposits that arrive later are refunded
 * separately.
 */
export async function notifyRefunded(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  refunds: PaymentRow[],
): Promise<void> {
  const asset = order.sourceAsset;
  const amount = formatAmount(
    refunds.reduce((sum, refund) => sum + refund.amount, 0n),
    asset,
  );
  await notifyOwner(tx, ctx, { order, kind: "refunded" }, (to) =>
    swapRefundedMail(to, { ...describeSwap(ctx, order), asset, amount }, refunds.map(toSent)),
  );
}

/** Queues the e-mail for a refund that does not change the order: a surplus, or a deposit to a closed order. */
export async function notifyReturned(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  refund: PaymentRow,
): Promise<void> {
  const swap = { ...describeSwap(ctx, order), asset: refund.asset, ...toSent(refund), isFilled: isFilled(order) };
  await notifyOwner(tx, ctx, { order, kind: "returned", mutedAs: "refunded" }, (to) => moneyReturnedMail(to, swap));
}

/**
 * Tells the owner that an operator pays to another of their addresses, from `until` on. This e-mail cannot be turned
 * off, because someone else may have saved the address.
 */
export async function notifyReaddressed(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { payment, address, until }: { payment: PaymentRow; address: string; until: Date | null },
): Promise<void> {
  const [owner] = await tx
    .select({ id: accounts.id, email: accounts.email, emailVerifiedAt: accounts.emailVerifiedAt })
    .from(accounts)
    .where(and(eq(accounts.id, order.accountId), isNull(accounts.deletedAt)));
  if (!owner) return;
  const { asset, address: earlier } = payment;
  const swap = { ...describeSwap(ctx, order), asset, amount: formatAmount(payment.amount, asset) };
  const mail = paymentReaddressedMail(owner.email, { ...swap, earlier, address, until });
  await queueSecurityNotice(tx, ctx, owner, { mail, now: await ctx.clock.now(tx) });
}

function toSent({ amount, grossAmount, asset, address, hash }: PaymentRow): SentPayment {
  const cost = grossAmount - amount;
  return {
    amount: formatAmount(amount, asset),
    address,
    hash,
    cost: cost > 0n ? toExactText(formatAmount(cost, asset), asset) : null,
  };
}
