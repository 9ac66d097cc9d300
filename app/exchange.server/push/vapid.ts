import { createECDH } from "node:crypto";
import type { ExchangeConfig } from "../context";
import { deriveKey } from "../secrets";

/** The key pair that identifies this exchange to push services (VAPID, RFC 8292), in base64url. */
export type VapidKeys = { publicKey: string; privateKey: string };

/**
 * Derives the key pair from the exchange's secret, so that all processes share it and it does not need a separate
 * backup. With another secret, browsers have to subscribe again.
 */
export function toVapidKeys({ secret }: Pick<ExchangeConfig, "secret">): VapidKeys {
  const pair = createECDH("prime256v1");
  const privateKey = deriveKey(secret, "web-push");
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey("base64url"), privateKey: privateKey.toString("base64url") };
}
