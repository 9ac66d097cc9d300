import type { AssetSymbol } from "../../../lib/assets";
import { formatAmount } from "../../../lib/money";
import type { DecisionReason } from "../../../lib/order-states";
import { findLimitProblem, toQuotedRate } from "../../../lib/price";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import type { OrderRow } from "../../db/schema/orders";
import { toExactText } from "../../mail/format";
import { type MailedChoice, swapNeedsDecisionMail } from "../../mail/messages/swap";
import { estimateRefundCost } from "../../pricing/payment-costs";
import { getLatestRate } from "../../pricing/rates";
import { getHeldAmount } from "../held-deposits";
import { coversFee, toOrderPair } from "../order-price";
import { paymentDeadline } from "../payment-deadline";
import { describeSwap, notifyOwner, toMissing } from "./notify-owner";
import { reportKept } from "./set-aside-mail";

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
  await notifyOwner(tx, ctx, { order, kind: "decision_needed", deadline: decisionDeadline }, (to, isBlocked) =>
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
