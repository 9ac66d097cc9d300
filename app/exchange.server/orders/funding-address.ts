import { and, eq } from "drizzle-orm";
import type { FundingAddress } from "../../api/contract";
import { assets } from "../../lib/assets";
import { formatAmount } from "../../lib/money";
import type { ExchangeContext } from "../context";
import { ExchangeError } from "../errors";
import { getOwnQuote } from "../quotes/quotes";
import { chainStates, orders } from "./tables";

/**
 * Where and how much to pay for a locked quote of this account.
 * @throws not_found; conflict while the quote is not locked
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
