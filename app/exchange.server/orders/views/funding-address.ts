import { and, eq } from "drizzle-orm";
import type { FundingAddress, Quote } from "../../../api/contract";
import { assets } from "../../../lib/assets";
import { formatAmount } from "../../../lib/money";
import type { DecisionReason, OrderStatus } from "../../../lib/order-states";
import type { ExchangeContext, RunningContext } from "../../context";
import { getChainState } from "../../db/chain-state";
import { type OrderRow, orders } from "../../db/schema/orders";
import { ExchangeError } from "../../errors";
import { getOwnQuote, toQuote } from "../../pricing/quotes";
import { getDepositGroups } from "../held-deposits";
import { isLate, paymentDeadline } from "../payment-deadline";

const paidMessage = "This swap has already been paid. Don't send anything more to its address.";
const completedMessage =
  "This swap is complete. Don't send anything more to its address. To swap again, get a new quote.";
const refundMessage =
  "This swap is being refunded or has been refunded. Don't send anything more to its address. To swap again, get a new quote.";
const tooLateMessage =
  "The time to pay for this swap has ended. Don't send anything to its address. To swap, get a new quote.";

/** The statuses in which an order does not accept payments. A payment that arrives anyway is refunded. */
const closedMessages: Partial<Record<OrderStatus, string>> = {
  expired: tooLateMessage,
  cancelled: "This swap was cancelled. Don't send anything to its address. To swap, get a new quote.",
  paying_out: paidMessage,
  completed: completedMessage,
  refunding: refundMessage,
  refunded: refundMessage,
};

/**
 * Why an order that needs a decision does not accept payments. An underpaid order accepts the rest while there is
 * time.
 */
const closedDecisions: Partial<Record<DecisionReason, string>> = {
  late: "The time to pay for this swap has ended. Don't send anything more to its address. Choose what to do with the money that has arrived.",
  payout_failed:
    "This swap has been paid, but its payout has failed. Don't send anything more to its address. Choose a refund.",
};

/** Why an order to which too little may have been paid does not accept the rest any longer, by its status. */
const tooLateMessages: Partial<Record<OrderStatus, string>> = {
  confirming:
    "The time to pay for this swap has ended. Don't send anything more to its address. Wait until the money that has arrived is confirmed.",
  needs_decision: closedDecisions.late,
};

/**
 * Where to pay a locked quote of this account, and how much of its amount is still missing.
 * @throws not_found, conflict if the quote is not locked, quote_expired if it can no longer be locked, order_closed if
 * the order does not accept payments
 */
export async function getFundingAddress(
  ctx: RunningContext,
  accountId: string,
  quoteId: number,
): Promise<FundingAddress> {
  const quote = await getOwnQuote(ctx.db, accountId, quoteId);
  const [order] = await ctx.db
    .select()
    .from(orders)
    .where(and(eq(orders.quoteId, quoteId), eq(orders.accountId, accountId)));
  if (!order) throw toUnlockedError(toQuote(quote, await ctx.clock.now(ctx.db)).status);
  const missing = await getMissingAmount(ctx, order);
  const chain = await getChainState(ctx.db, order.sourceAsset);
  const chainId = chain?.chainId ?? "";
  return {
    asset_symbol: order.sourceAsset,
    network: assets[order.sourceAsset].network,
    chain_id: /^[0-9]+$/.test(chainId) ? Number(chainId) : chainId,
    address: order.fundingAddress,
    amount: formatAmount(missing, order.sourceAsset),
    uri: ctx.chains[order.sourceAsset].toPaymentUri(order.fundingAddress, missing),
    wallet_link: ctx.chains[order.sourceAsset].toWalletLink(order.fundingAddress, missing),
    expires_at: order.expiresAt.toISOString(),
  };
}

function toUnlockedError(status: Quote["status"]): ExchangeError {
  if (status === "expired") return new ExchangeError("quote_expired");
  if (status !== "open") return new ExchangeError("not_found");
  return new ExchangeError("conflict", { message: "Lock the quote first to get its funding address." });
}

/** What can still be paid at the locked price. @throws order_closed if that is nothing */
async function getMissingAmount(ctx: ExchangeContext, order: OrderRow): Promise<bigint> {
  const status = order.heldFrom ?? order.status;
  const closed =
    status === "needs_decision" ? closedDecisions[order.decisionReason ?? "underpaid"] : closedMessages[status];
  if (closed) throw new ExchangeError("order_closed", { message: closed });
  const deadline = paymentDeadline(order);
  const deposits = await getDepositGroups(ctx.db, order.id, deadline);
  const inTime = deposits.filter((deposit) => deposit.status !== "failed" && !isLate(order, deposit));
  const missing = inTime.reduce((rest, { left }) => rest - left, order.sourceAmount);
  // Checked before the time, because a deposit that arrived in time may be confirmed after the deadline.
  if (missing <= 0n) throw new ExchangeError("order_closed", { message: paidMessage });
  if ((await ctx.clock.now(ctx.db)) > deadline) {
    throw new ExchangeError("order_closed", { message: tooLateMessages[status] ?? tooLateMessage });
  }
  return missing;
}
