import { createHmac } from "node:crypto";
import { z } from "zod";
import { equals } from "../secrets";

/** The header: `t=<unix seconds>,v1=<HMAC-SHA256 of "<t>.<raw body>" in hex>`. */
const signatureHeader = "X-Kyc-Signature";

const toleranceSeconds = 300;
const bodySchema = z.object({ event_id: z.string().min(1).max(100), reference: z.string().min(1).max(64) });

/**
 * Verifies the signature over the raw body before parsing it, and that its time is within five
 * minutes, so that a recorded webhook cannot be replayed later (T45).
 * @throws if the signature, the time or the body is not valid
 */
export function verifyWebhook(
  secret: string,
  rawBody: string,
  headers: Headers,
  now: Date,
): { eventId: string; reference: string } {
  const [, time, hex] = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(headers.get(signatureHeader) ?? "") ?? [];
  if (time === undefined || hex === undefined) throw new Error("the webhook has no valid signature header");
  const seconds = Number(time);
  const expected = createHmac("sha256", secret).update(`${seconds}.${rawBody}`).digest();
  if (!equals(Buffer.from(hex, "hex"), expected)) throw new Error("the webhook signature does not match");
  if (Math.abs(now.getTime() / 1000 - seconds) > toleranceSeconds)
    throw new Error("the webhook is too old or too far in the future");
  const body = bodySchema.parse(JSON.parse(rawBody));
  return { eventId: body.event_id, reference: body.reference };
}
