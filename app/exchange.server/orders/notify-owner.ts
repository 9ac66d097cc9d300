import { and, desc, eq, inArray, isNull } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { dayMs } from "../../lib/durations";
import { formatAmount, formatDecimal, RATE_DECIMALS } from "../../lib/money";
import { formatDecimalText, plainNumberStyle } from "../../lib/number-style";
import { toOrderNumber } from "../../lib/order-number";
import type { DecisionReason } from "../../lib/order-states";
import { paths } from "../../lib/paths";
import { findLimitProblem, toQuotedRate } from "../../lib/price";
import type { SwapMail } from "../../lib/swap-mails";
import { isAboutExtraMoney, type SwapNotificationKind } from "../../lib/swap-notifications";
import { queueSecurityNotice } from "../accounts/security-notices";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { type OrderRow, orderEvents } from "../db/schema/orders";
import type { PaymentRow } from "../db/schema/payments";
import { toExactText } from "../mail/format";
import {
  type MailedChoice,
  moneyReturnedMail,
  type PaymentProblem,
  paymentGoneMail,
  paymentReaddressedMail,
  paymentSeenMail,
  type SentPayment,
  type SwapPrice,
  swapCompletedMail,
  swapNeedsDecisionMail,
  swapNotRefundedMail,
  swapOnHoldMail,
  swapRefundedMail,
  swapReleasedMail,
} from "../mail/messages/swap";
import { dropQueuedMail, queueMail } from "../mail/queue-mail";
import type { EmailTemplate } from "../mail/template";
import { estimateRefundCost } from "../pricing/payment-costs";
import { getLatestRate } from "../pricing/rates";
import { hasBrowsers, queuePush, toSwapMessage } from "../push/messages";
import { toSwapTerms } from "../swap-terms";
import { getHeldAmount } from "./held-deposits";
import type { OrderEvent } from "./order-event";
import { coversFee, toOrderPair } from "./order-price";
import { paymentDeadline } from "./payment-deadline";
import { hasPayments } from "./queries";
import { recordEvent } from "./transition";

/** Why the e-mail asks for a decision. */
const toReasonTexts = (minimum: string): Record<DecisionReason, string> => ({
  late: "Your payment arrived after the time to pay had ended, so the locked price no longer applies.",
  below_minimum: `The amount you sent is worth less than our minimum of ${minimum}.`,
  underpaid: "The amount you sent is less than agreed.",
  above_maximum: "The amount you sent is above the maximum.",
  payout_failed: "We couldn't make the payout, and nothing was paid out.",
});

/** What the owner can choose while the locked price lasts, if any choice depends on that price. */
const lockedChoices: { [Reason in DecisionReason]?: readonly MailedChoice[] } = {
  below_minimum: ["send", "requote", "refund"],
  underpaid: ["accept", "send", "requote", "refund"],
};

function listChoices(reason: DecisionReason, isLocked: boolean): readonly MailedChoice[] {
  if (reason === "payout_failed") return ["refund"];
  return (isLocked && lockedChoices[reason]) || ["requote", "refund"];
}

/**
 * Whether there may be a new price for an amount. The limits are in USDT, so for USDT they don't depend on the rate.
 */
function mayBeRequoted({ config }: ExchangeContext, asset: AssetSymbol, amount: bigint): boolean {
  return asset !== "USDT" || (amount >= config.minUsdt && amount <= config.maxUsdt);
}

/** Whether an amount is below the minimum at the current rate. */
async function isDust(tx: Database, { config }: ExchangeContext, order: OrderRow, amount: bigint): Promise<boolean> {
  const prices = await getLatestRate(tx);
  if (prices === null) return false;
  const pair = toOrderPair(order, toQuotedRate(order.sourceAsset, prices));
  return findLimitProblem(amount, pair, config)?.kind === "too-small";
}

/**
 * Queues the e-mail about the first payment to an order, seen at the time `at`. Later payments don't cause an e-mail.
 */
export async function notifyPaymentSeen(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { amount, isInTime, at }: { amount: bigint; isInTime: boolean; at: Date },
): Promise<void> {
  if ((await listEvents(tx, order.id, ["deposit_seen"])).length > 1) return;
  const asset = order.sourceAsset;
  const missing = toMissing(order, amount);
  const kind = !isInTime ? "payment_late" : missing === null ? "payment_seen" : "payment_short";
  const problem = toPaymentProblem(order, { missing, isInTime, at });
  await notify(tx, ctx, { order, kind, mutedAs: "payment_seen" }, (to, isBlocked) =>
    paymentSeenMail(to, {
      ...describeSwap(ctx, order),
      asset,
      amount: formatAmount(amount, asset),
      problem,
      isBlocked,
    }),
  );
}

/** Queues the e-mail for a completed order. Like all e-mails here, it is sent only if the transaction commits. */
export async function notifyCompleted(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  payout: PaymentRow,
): Promise<void> {
  await notify(tx, ctx, { order, kind: "paid_out" }, (to) =>
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
  await notify(tx, ctx, { order, kind: "refunded" }, (to) =>
    swapRefundedMail(to, { ...describeSwap(ctx, order), asset, amount }, refunds.map(toSent)),
  );
}

/**
 * Tells the owner that an operator pays to another of their addresses, from `until` on. Nobody can turn off this
 * e-mail: someone else may have saved the address.
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

/**
 * Records that `amount`, which is held for an order, is set aside because a refund costs more. Queues an e-mail about
 * the first such amount only, so that dust cannot cause many e-mails, and about an order that ends without the refund
 * that its owner was offered since.
 */
export async function reportKept(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { amount, at }: { amount: bigint; at: Date },
): Promise<void> {
  const wasAsked = order.status === "refunding" && !(await wasLastKept(tx, order.id));
  await recordEvent(tx, order.id, { kind: "kept_below_cost", data: { amount: amount.toString() }, at });
  if (!wasAsked && (await listEvents(tx, order.id, ["kept_below_cost"])).length > 1) return;
  const asset = order.sourceAsset;
  const isExtra = await hasPayments(tx, order.id);
  await notify(tx, ctx, { order, kind: isExtra ? "kept" : "not_refunded" }, (to) =>
    swapNotRefundedMail(to, { ...describeSwap(ctx, order), asset, amount: formatAmount(amount, asset), isExtra }),
  );
}

/** Whether the owner was last told that what is held is set aside, and was not asked for a decision since. */
export async function wasLastKept(tx: Database, orderId: string): Promise<boolean> {
  const [last] = await listEvents(tx, orderId, ["kept_below_cost", "decision_needed"]);
  return last?.kind === "kept_below_cost";
}

/** Queues the e-mail for an order that ends without money, if its owner was told of a payment. */
export async function notifyPaymentGone(tx: Database, ctx: ExchangeContext, order: OrderRow): Promise<void> {
  if ((await listEvents(tx, order.id, ["deposit_seen"])).length === 0) return;
  await notify(tx, ctx, { order, kind: "payment_gone" }, (to) => paymentGoneMail(to, describeSwap(ctx, order)));
}

/** The newest two events of these kinds. */
function listEvents(tx: Database, orderId: string, kinds: OrderEvent["kind"][]) {
  return tx
    .select({ kind: orderEvents.kind })
    .from(orderEvents)
    .where(and(eq(orderEvents.orderId, orderId), inArray(orderEvents.kind, kinds)))
    .orderBy(desc(orderEvents.id))
    .limit(2);
}

/** Queues the e-mail for a refund that does not change the order: a surplus, or a deposit to a closed order. */
export async function notifyReturned(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  refund: PaymentRow,
): Promise<void> {
  await notify(tx, ctx, { order, kind: "returned", mutedAs: "refunded" }, (to) =>
    moneyReturnedMail(to, { ...describeSwap(ctx, order), asset: refund.asset, ...toSent(refund) }),
  );
}

/** Queues the e-mail for an order that was put on hold, or whose hold was extended. */
export async function notifyOnHold(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  { isExtended }: { isExtended: boolean },
): Promise<void> {
  const { holdReason, holdDeadline } = order;
  if (holdReason === null || holdDeadline === null) return;
  await notify(tx, ctx, { order, kind: "on_hold", deadline: holdDeadline }, (to, isBlocked) =>
    swapOnHoldMail(to, {
      ...describeSwap(ctx, order),
      reason: holdReason,
      deadline: holdDeadline,
      // An operator may hold the orders of a blocked account for a reason of their own.
      problem: isBlocked ? "blocked" : order.holdProblem,
      isExtended,
    }),
  );
}

/** Queues the e-mail for an order that is no longer on hold and continues without its owner. */
export async function notifyReleased(tx: Database, ctx: ExchangeContext, order: OrderRow): Promise<void> {
  const isRefund = order.status === "refunding";
  await notify(tx, ctx, { order, kind: "released" }, (to, isBlocked) =>
    swapReleasedMail(to, { ...describeSwap(ctx, order), isRefund, isBlocked }),
  );
}

/**
 * Queues the e-mail that asks the owner, at the time `at`, for a decision. If what is held is too little for any choice,
 * reports instead that it is set aside.
 */
export async function notifyDecisionNeeded(
  tx: Database,
  ctx: ExchangeContext,
  order: OrderRow,
  at: Date,
): Promise<void> {
  const { decisionReason, decisionDeadline } = order;
  if (decisionReason === null || decisionDeadline === null) return;
  const received = await getHeldAmount(tx, order);
  const isLocked = decisionReason in lockedChoices && at <= paymentDeadline(order);
  const canSend = at < order.expiresAt;
  const asset = order.sourceAsset;
  const canRefund = received > (await estimateRefundCost(tx, ctx, { asset, at }));
  const canRequote = mayBeRequoted(ctx, asset, received) && (canRefund || !(await isDust(tx, ctx, order, received)));
  const canAccept = coversFee(order, received, ctx.config);
  const choices = listChoices(decisionReason, isLocked).filter(
    (choice) =>
      (choice !== "send" || canSend) &&
      (choice !== "requote" || canRequote) &&
      (choice !== "accept" || canAccept) &&
      (choice !== "refund" || canRefund),
  );
  if (choices.length === 0) {
    await reportKept(tx, ctx, order, { amount: received, at });
    return;
  }
  // In the grace period, nothing more should be sent, but what has arrived may still be swapped at the locked price.
  const graceEnd = choices.includes("accept") ? paymentDeadline(order) : null;
  const minimum = toExactText(formatAmount(ctx.config.minUsdt, "USDT"), "USDT");
  await notify(tx, ctx, { order, kind: "decision_needed", deadline: decisionDeadline }, (to, isBlocked) =>
    swapNeedsDecisionMail(to, {
      ...describeSwap(ctx, order),
      isBlocked,
      asset,
      amount: formatAmount(received, asset),
      reason: toReasonTexts(minimum)[decisionReason],
      missing: isLocked ? toMissing(order, received) : null,
      deadline: decisionDeadline,
      lockedUntil: isLocked && canSend ? order.expiresAt : graceEnd,
      choices,
    }),
  );
}

function toPaymentProblem(
  { expiresAt }: OrderRow,
  { missing, isInTime, at }: { missing: string | null; isInTime: boolean; at: Date },
): PaymentProblem | null {
  if (!isInTime) return { isLate: true };
  return missing === null ? null : { isLate: false, missing, sendRestUntil: at < expiresAt ? expiresAt : null };
}

/** What is missing from the agreed amount, with its asset; null if nothing is. */
function toMissing({ sourceAmount, sourceAsset }: OrderRow, received: bigint): string | null {
  const missing = sourceAmount - received;
  return missing > 0n ? toExactText(formatAmount(missing, sourceAsset), sourceAsset) : null;
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

/** What every e-mail about a swap says: its number, its page, and the price at which it was filled or else locked. */
function describeSwap(ctx: ExchangeContext, order: OrderRow) {
  const { sourceAsset, targetAsset, quoteId } = order;
  const terms = toSwapTerms(order);
  const rate = formatDecimal(terms.rate, RATE_DECIMALS);
  const toText = (amount: bigint, asset: AssetSymbol) => toExactText(formatAmount(amount, asset), asset);
  const price: SwapPrice = {
    sent: toText(terms.source, sourceAsset),
    received: toText(terms.target, targetAsset),
    fee: toText(terms.fee, sourceAsset),
    rate: `1 ${sourceAsset} = ${formatDecimalText(rate, plainNumberStyle)} ${targetAsset}`,
  };
  return { number: toOrderNumber(quoteId), url: new URL(paths.quote(quoteId), ctx.config.origin).href, price };
}

type Notice = {
  order: OrderRow;
  kind: SwapNotificationKind;
  /** The setting that turns off e-mails of this kind, if it has a different name. */
  mutedAs?: SwapMail;
  /** When the e-mail becomes useless, if that is earlier than usual. */
  deadline?: Date;
};

/** E-mails that are out of date once the order has moved on. */
const progressKinds: readonly SwapNotificationKind[] = [
  "payment_seen",
  "payment_short",
  "payment_late",
  "decision_needed",
  "on_hold",
  "released",
];

/** Notifications that ask the owner to open the swap, which is impossible while the account is blocked. */
const opensSwap: readonly SwapNotificationKind[] = ["payment_short", "on_hold", "decision_needed"];

/** Deletes an e-mail about an order's progress that has not been sent yet, because the order has moved on. */
export async function dropProgressMail(tx: Database, ctx: ExchangeContext, orderId: string): Promise<void> {
  await dropQueuedMail(tx, ctx, toTopic(orderId));
}

const toTopic = (orderId: string) => `swap:${orderId}`;

/**
 * Queues the e-mail, unless the owner has turned off e-mails of its kind, and a notification for the owner's browsers.
 */
async function notify(
  tx: Database,
  ctx: ExchangeContext,
  { order, kind, mutedAs, deadline }: Notice,
  write: (to: string, isBlocked: boolean) => EmailTemplate,
): Promise<void> {
  const [owner] = await tx
    .select({ email: accounts.email, muted: accounts.mutedMails, blockedAt: accounts.blockedAt, hasBrowsers })
    .from(accounts)
    .where(and(eq(accounts.id, order.accountId), isNull(accounts.deletedAt)));
  if (!owner) return;
  const isMuted = owner.muted.some((muted) => muted === (mutedAs ?? kind));
  const isBlocked = owner.blockedAt !== null;
  const isPushed = owner.hasBrowsers && !(isBlocked && opensSwap.includes(kind));
  const topic = toTopic(order.id);
  const isProgress = progressKinds.includes(kind);
  // A new e-mail about progress replaces one that is still queued; any other e-mail removes it.
  if (!isAboutExtraMoney(kind) && (isMuted || !isProgress)) await dropQueuedMail(tx, ctx, topic);
  if (isMuted && !isPushed) return;
  const now = await ctx.clock.now(tx);
  const ttlMs = Math.min(
    3 * dayMs,
    deadline === undefined ? Number.POSITIVE_INFINITY : deadline.getTime() - now.getTime(),
  );
  if (!isMuted) {
    await queueMail(tx, ctx, write(owner.email, isBlocked), { now, ttlMs, ...(isProgress && { topic }) });
  }
  if (isPushed) await queuePush(tx, order.accountId, toSwapMessage(kind, order.quoteId), now);
}
