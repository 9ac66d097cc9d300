import { createHash } from "node:crypto";
import type { Database } from "../../db/database";
import { idempotencyKeys } from "../../db/schema/orders";
import { ExchangeError } from "../../errors";
import type { OrderRow } from "../transition";

/** A request under the caller's Idempotency-Key; keys are unique per account. */
export type IdempotentRequest = { accountId: string; key: string; bodyHash: string };

/** @param body the values that make two requests the same */
export function toIdempotentRequest(accountId: string, key: string, body: unknown[]): IdempotentRequest {
  return { accountId, key, bodyHash: createHash("sha256").update(JSON.stringify(body)).digest("base64url") };
}

/** The name of the lock that allows one request with a key at a time. */
export const lockNameOf = ({ accountId, key }: IdempotentRequest) => `idempotency:${accountId}:${key}`;

/** The order that was stored for this request. @throws idempotency_key_reused for another body */
export function requireSameRequest(
  { bodyHash }: IdempotentRequest,
  earlier: { bodyHash: string; order: OrderRow },
): OrderRow {
  if (earlier.bodyHash !== bodyHash) throw new ExchangeError("idempotency_key_reused");
  return earlier.order;
}

/** The insertion that stores an order under its key, so that a repeated request returns it. */
export function toKeyInsertion(tx: Database, request: IdempotentRequest, orderId: string, at: Date) {
  return tx
    .insert(idempotencyKeys)
    .values({ ...request, orderId, createdAt: at })
    .returning({ key: idempotencyKeys.key });
}
