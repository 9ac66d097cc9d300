import { eq } from "drizzle-orm";
import type { TrackedOrder, Transaction } from "../../../api/contract";
import type { ExchangeContext } from "../../context";
import { orders } from "../../db/schema/orders";
import { ExchangeError } from "../../errors";
import { sha256 } from "../../secrets";
import { selectWithMovements } from "./movements";
import { toOrder } from "./order-view";

/** What a tracking link shows. @throws not_found for every token that is not in use, whatever the reason */
export async function getTrackedOrder(ctx: ExchangeContext, token: string): Promise<TrackedOrder> {
  const [row] = await selectWithMovements(ctx.db).where(eq(orders.trackingHash, sha256(token)));
  if (!row) throw new ExchangeError("not_found");
  const order = await toOrder(ctx, row);
  // Lists each field, so that a new field of orders is not published by accident.
  return {
    status: order.status,
    source_asset_symbol: order.source_asset_symbol,
    target_asset_symbol: order.target_asset_symbol,
    source_amount: order.source_amount,
    target_amount: order.target_amount,
    received_amount: order.received_amount,
    expires_at: order.expires_at,
    created_at: order.created_at,
    updated_at: order.updated_at,
    transactions: [...order.incoming_txs, ...order.outgoing_txs].map(withoutIdentity),
  };
}

/** Leaves out the ID and the hash, because a hash would reveal the addresses. */
function withoutIdentity(transaction: Transaction): TrackedOrder["transactions"][number] {
  return {
    status: transaction.status,
    asset_symbol: transaction.asset_symbol,
    amount: transaction.amount,
    confirmations: transaction.confirmations,
    required_confirmations: transaction.required_confirmations,
    purpose: transaction.purpose,
    created_at: transaction.created_at,
    ...(transaction.sent_at !== undefined && { sent_at: transaction.sent_at }),
  };
}
