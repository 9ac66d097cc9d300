import { randomBytes } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import type { TrackedOrder, Transaction } from "../../api/contract";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import { sha256 } from "../secrets";
import { selectWithMovements } from "./movements";
import { toOrder } from "./order-view";
import { isOwnOrder } from "./queries";

/**
 * Creates an order's tracking link and returns its token: 256 random bits, of which only the hash is stored. An earlier
 * link of the order stops working. @throws not_found, also for an order of another account
 */
export async function createTrackingLink(ctx: ExchangeContext, accountId: string, orderId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const trackedSince = await ctx.clock.now(ctx.db);
  await setLink(ctx, { accountId, orderId }, { trackingHash: sha256(token), trackedSince });
  return token;
}

/** Revokes an order's tracking link, if it has one. @throws not_found, also for an order of another account */
export async function revokeTrackingLink(ctx: ExchangeContext, accountId: string, orderId: string): Promise<void> {
  await setLink(ctx, { accountId, orderId }, { trackingHash: null, trackedSince: null });
}

type Link = Pick<typeof orders.$inferInsert, "trackingHash" | "trackedSince">;

/** Leaves `updatedAt` as it is: the swap itself has not changed. */
async function setLink(
  { db }: ExchangeContext,
  { accountId, orderId }: { accountId: string; orderId: string },
  link: Link,
): Promise<void> {
  const changed = await db.update(orders).set(link).where(isOwnOrder(accountId, orderId)).returning({ id: orders.id });
  if (changed.length === 0) throw new ExchangeError("not_found");
}

/** What a tracking link shows. @throws not_found for every token that is not in use, whatever the reason */
export async function getTrackedOrder(ctx: ExchangeContext, token: string): Promise<TrackedOrder> {
  const [row] = await selectWithMovements(ctx.db).where(eq(orders.trackingHash, sha256(token)));
  if (!row) throw new ExchangeError("not_found");
  const order = await toOrder(ctx, row);
  // Lists each member, so that a new property of orders is not published by accident.
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

/** Omits the id, and the hash, which would reveal the addresses. */
function withoutIdentity({ id: _, hash: __, ...transaction }: Transaction): TrackedOrder["transactions"][number] {
  return transaction;
}

/** Revokes the links of all orders of an account that is being deleted. */
export async function revokeTrackingOf(tx: Database, accountId: string): Promise<void> {
  await tx
    .update(orders)
    .set({ trackingHash: null, trackedSince: null })
    .where(and(eq(orders.accountId, accountId), isNotNull(orders.trackingHash)));
}
