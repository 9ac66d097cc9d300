import { createHmac } from "node:crypto";

/** The header X-Kyc-Signature of a webhook that a provider sends at `at`. */
export function signWebhook(secret: string, rawBody: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000);
  return `t=${seconds},v1=${createHmac("sha256", secret).update(`${seconds}.${rawBody}`).digest("hex")}`;
}
