import type { ExchangeContext } from "../context";
import type { OrderRow } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import { closeQuote } from "../pricing/quotes";
import { releaseReserve } from "./payouts-and-refunds/fill";
import { hasSeenDeposit } from "./queries";
import { lockOrderRow, transition } from "./transition";

/**
 * Cancels an order for which no deposit has been seen. Cancelling it again returns the cancelled order.
 * @throws not_found, order_funded, conflict
 */
export async function cancelOrder(ctx: ExchangeContext, orderId: string): Promise<OrderRow> {
  return ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, orderId);
    if (order.status === "cancelled") return order;
    const at = await ctx.clock.now(tx);
    if (await hasSeenDeposit(tx, orderId)) throw new ExchangeError("order_funded");
    if (order.status !== "awaiting_deposit") {
      const message = "The time to pay for this swap has ended, so there is nothing to cancel.";
      throw new ExchangeError("conflict", { message });
    }
    await releaseReserve(tx, order, at);
    await closeQuote(tx, order.quoteId, "expired", at);
    return transition(tx, order, "cancelled", { kind: "cancelled", at });
  });
}
