import { minuteMs } from "../../lib/durations";
import { formatAmount } from "../../lib/money";
import { raiseAlert } from "../alerts/alerts";
import type { ChainTransfer } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import type { OrderRow } from "../db/schema/orders";

/**
 * The database's clock may be ahead of the chain's by this much, because a chain whose head is two minutes old is in
 * sync.
 */
const clockToleranceMs = 3 * minuteMs;

/**
 * Whether a transfer was made before its order existed. If so, it was meant for another order with the same funding
 * address, and that order is missing from a restored backup. The chain's time decides.
 */
export function isOlderThanOrder(
  order: Pick<OrderRow, "createdAt">,
  { blockTime }: Pick<ChainTransfer, "blockTime">,
): boolean {
  return blockTime !== null && blockTime.getTime() < order.createdAt.getTime() - clockToleranceMs;
}

/** Credits nothing and alerts an operator, who has to find out whose money it is. */
export async function reportOlderTransfer(
  tx: Database,
  ctx: ExchangeContext,
  { order, transfer, at }: { order: OrderRow; transfer: ChainTransfer; at: Date },
): Promise<void> {
  const { id: orderId, sourceAsset: asset } = order;
  const { amount, address, displayHash, txHash, ordinal } = transfer;
  const reason =
    `${formatAmount(amount, asset)} ${asset} arrived at ${address} before the order existed (${displayHash}). ` +
    "It is not credited: it may belong to an order that was lost when a backup was restored.";
  const subject = `transfer:${txHash}:${ordinal}` as const;
  const action = `Find out whether the lost order was paid out or refunded already: the alerts about unknown payments may show it. If it was not, return the amount to an address that its owner confirms, from a wallet that the exchange does not use. In both cases, run "operate dismiss ${subject}". Once "operate reserves" shows the transfer as a surplus, book it with "operate float ${asset} AMOUNT".`;
  await raiseAlert(tx, ctx, { subject, orderId, reason, action, at });
}
