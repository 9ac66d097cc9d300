import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** Each purpose has its own key, so a value made for one is not valid for another. */
type Purpose =
  | "email-code"
  | "access-token"
  | "refresh-token"
  | "outbox"
  | "outbox-sender"
  | "outbox-topic"
  | "outbox-recipient"
  | "kyc-details"
  | "known-network"
  | "device-token"
  | "retained-records"
  | "web-push"
  | "shared-limits"
  | "support-message"
  | "fingerprint";

/** Derives the 256-bit key of a purpose from the configured secret (HKDF-SHA256, RFC 5869). */
export function deriveKey(secret: string, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "antelope.exchange", purpose, 32));
}

/** HMAC-SHA256 over length-prefixed parts: ["ab", "c"] and ["a", "bc"] give different results. */
export function authenticate(key: Buffer, ...parts: string[]): Buffer {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`);
  return hmac.digest();
}

/** SHA-256 of UTF-8 text in base64url. Only for random values such as tokens, not for values that can be guessed. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Compares two buffers in constant time. */
export function equals(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Encrypts with AES-256-GCM. Returns nonce, tag and ciphertext in base64url. `context`, such as an id, binds the result
 * to its row.
 */
export function seal(key: Buffer, plain: string, context: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

/** Decrypts the result of `seal`. @throws if it was changed, or sealed with another context or key */
export function unseal(key: Buffer, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
}
