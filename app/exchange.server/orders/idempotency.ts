import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { type Database, tryLockFor } from "../db/database";
import { idempotencyKeys, orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import type { OrderRow } from "./transition";

/** A request under the caller's Idempotency-Key; keys are unique per account. */
type IdempotentRequest = { accountId: string; key: string; bodyHash: string };

/** @param body the values that make two requests the same */
export function toIdempotentRequest(accountId: string, key: string, body: unknown[]): IdempotentRequest {
  return { accountId, key, bodyHash: createHash("sha256").update(JSON.stringify(body)).digest("base64url") };
}

/** The order this request made earlier, or null. @throws idempotency_key_reused for another body */
export async function findOrderOf(db: Database, request: IdempotentRequest): Promise<OrderRow | null> {
  const [stored] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.accountId, request.accountId), eq(idempotencyKeys.key, request.key)));
  if (!stored) return null;
  if (stored.bodyHash !== request.bodyHash) throw new ExchangeError("idempotency_key_reused");
  const [order] = await db.select().from(orders).where(eq(orders.id, stored.orderId));
  return order ?? null;
}

/** Refuses a second request with the same key until this transaction ends. @throws idempotency_in_flight */
export async function lockIdempotencyKey(tx: Database, { accountId, key }: IdempotentRequest): Promise<void> {
  if (!(await tryLockFor(tx, `idempotency:${accountId}:${key}`))) {
    throw new ExchangeError("idempotency_in_flight", { retryAfterSeconds: 1 });
  }
}

/** Stores the order under its key, so that a repeated request returns it. */
export async function storeOrderOf(tx: Database, request: IdempotentRequest, order: OrderRow): Promise<void> {
  await tx.insert(idempotencyKeys).values({ ...request, orderId: order.id, createdAt: order.createdAt });
}
