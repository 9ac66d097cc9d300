import { randomBytes } from "node:crypto";
import { and, eq, isNotNull } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import { sha256 } from "../secrets";
import { isOwnOrder } from "./own-order";

/**
 * Creates an order's tracking link and returns its token: 256 random bits, of which only the hash is stored. An earlier
 * link of the order stops working. @throws not_found, including for another account's order
 */
export async function createTrackingLink(ctx: ExchangeContext, accountId: string, orderId: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const trackedSince = await ctx.clock.now(ctx.db);
  await setLink(ctx, { accountId, orderId }, { trackingHash: sha256(token), trackedSince });
  return token;
}

/** Revokes an order's tracking link, if it has one. @throws not_found, including for another account's order */
export async function revokeTrackingLink(ctx: ExchangeContext, accountId: string, orderId: string): Promise<void> {
  await setLink(ctx, { accountId, orderId }, { trackingHash: null, trackedSince: null });
}

type Link = Pick<typeof orders.$inferInsert, "trackingHash" | "trackedSince">;

/** Leaves `updatedAt` as it is, because the swap itself has not changed. */
async function setLink(
  { db }: ExchangeContext,
  { accountId, orderId }: { accountId: string; orderId: string },
  link: Link,
): Promise<void> {
  const changed = await db.update(orders).set(link).where(isOwnOrder(accountId, orderId)).returning({ id: orders.id });
  if (changed.length === 0) throw new ExchangeError("not_found");
}

/** Revokes the links of all orders of an account that is being deleted. */
export async function revokeAccountTrackingLinks(tx: Database, accountId: string): Promise<void> {
  await tx
    .update(orders)
    .set({ trackingHash: null, trackedSince: null })
    .where(and(eq(orders.accountId, accountId), isNotNull(orders.trackingHash)));
}
