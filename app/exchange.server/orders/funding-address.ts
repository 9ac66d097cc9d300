import { and, eq } from "drizzle-orm";
import type { FundingAddress } from "../../api/contract";
import { assets } from "../../lib/assets";
import { formatAmount } from "../../lib/money";
import type { OrderStatus } from "../../lib/order-states";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { getOwnQuote } from "../quotes/quotes";
import { chainStates, orders } from "./tables";

const paidWords = "This swap has had its payment. Send nothing more to its address: ask for a new quote.";
const backWords = "This swap is sent back. Send nothing more to its address: ask for a new quote.";

/** The states in which nobody should be told where to pay, and why. What comes all the same is not lost. */
const closedWords: Partial<Record<OrderStatus, string>> = {
  expired: "The time to pay this swap is over. Send nothing to its address: ask for a new quote.",
  cancelled: "This swap was cancelled. Send nothing to its address: ask for a new quote.",
  paying_out: paidWords,
  completed: paidWords,
  refunding: backWords,
  refunded: backWords,
};

/**
 * Where and how much to pay for a locked quote of this account.
 * @throws not_found; conflict while the quote is not locked; order_closed when there is nothing to pay any more
 */
export async function getFundingAddress(
  x: ExchangeContext,
  accountId: string,
  quoteId: number,
): Promise<FundingAddress> {
  const quote = await getOwnQuote(x.db, accountId, quoteId);
  const [order] = await x.db
    .select()
    .from(orders)
    .where(and(eq(orders.quoteId, quoteId), eq(orders.accountId, accountId)));
  if (!order) {
    throw new ExchangeError(quote.status === "open" ? "conflict" : "not_found", {
      message: quote.status === "open" ? "Lock the quote first; then it has a funding address." : undefined,
    });
  }
  const closed = closedWords[order.heldFrom ?? order.status];
  if (closed) throw new ExchangeError("order_closed", { message: closed });
  const [chain] = await x.db.select().from(chainStates).where(eq(chainStates.asset, order.sourceAsset));
  const chainId = chain?.chainId ?? "";
  return {
    asset_symbol: order.sourceAsset,
    network: assets[order.sourceAsset].network,
    chain_id: /^[0-9]+$/.test(chainId) ? Number(chainId) : chainId,
    address: order.fundingAddress,
    amount: formatAmount(order.sourceAmount, order.sourceAsset),
    uri: x.chains[order.sourceAsset].toPaymentUri(order.fundingAddress, order.sourceAmount),
    expires_at: order.expiresAt.toISOString(),
  };
}
