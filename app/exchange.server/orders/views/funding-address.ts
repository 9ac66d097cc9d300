import { and, eq } from "drizzle-orm";
import type { FundingAddress } from "../../../api/contract";
import { assets } from "../../../lib/assets";
import { formatAmount } from "../../../lib/money";
import type { OrderStatus } from "../../../lib/order-states";
import type { ExchangeContext } from "../../context";
import { getChainState } from "../../db/chain-state";
import { orders } from "../../db/schema/orders";
import { ExchangeError } from "../../errors";
import { getOwnQuote } from "../../pricing/quotes";

const paidMessage = "This swap has been paid. Send nothing more to its address; get a new quote instead.";
const refundMessage = "This swap is being refunded. Send nothing more to its address; get a new quote instead.";

/** The statuses in which an order takes no payment. A payment that arrives anyway is refunded. */
const closedMessages: Partial<Record<OrderStatus, string>> = {
  expired: "The time to pay for this swap has passed. Send nothing to its address; get a new quote instead.",
  cancelled: "This swap was cancelled. Send nothing to its address; get a new quote instead.",
  paying_out: paidMessage,
  completed: paidMessage,
  refunding: refundMessage,
  refunded: refundMessage,
};

/**
 * Where and how much to pay for a locked quote of this account.
 * @throws not_found, conflict if the quote is not locked, order_closed if the order takes no payment
 */
export async function getFundingAddress(
  ctx: ExchangeContext,
  accountId: string,
  quoteId: number,
): Promise<FundingAddress> {
  const quote = await getOwnQuote(ctx.db, accountId, quoteId);
  const [order] = await ctx.db
    .select()
    .from(orders)
    .where(and(eq(orders.quoteId, quoteId), eq(orders.accountId, accountId)));
  if (!order) {
    throw new ExchangeError(quote.status === "open" ? "conflict" : "not_found", {
      message: quote.status === "open" ? "Lock the quote first to get its funding address." : undefined,
    });
  }
  const closed = closedMessages[order.heldFrom ?? order.status];
  if (closed) throw new ExchangeError("order_closed", { message: closed });
  const chain = await getChainState(ctx.db, order.sourceAsset);
  const chainId = chain?.chainId ?? "";
  return {
    asset_symbol: order.sourceAsset,
    network: assets[order.sourceAsset].network,
    chain_id: /^[0-9]+$/.test(chainId) ? Number(chainId) : chainId,
    address: order.fundingAddress,
    amount: formatAmount(order.sourceAmount, order.sourceAsset),
    uri: ctx.chains[order.sourceAsset].toPaymentUri(order.fundingAddress, order.sourceAmount),
    wallet_link: ctx.chains[order.sourceAsset].toWalletLink(order.fundingAddress, order.sourceAmount),
    expires_at: order.expiresAt.toISOString(),
  };
}
