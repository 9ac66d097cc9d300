import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/** What a key is for. Each purpose has a key of its own, so that no value made for one passes for another. */
type Purpose = "email-code" | "access-token" | "refresh-token" | "outbox" | "kyc-details";

/** 256 bits for one purpose from the configured secret (HKDF-SHA256, RFC 5869). */
export function deriveKey(secret: string, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "antelope.exchange", purpose, 32));
}

/** HMAC-SHA256 over parts that are framed, so that ["ab","c"] and ["a","bc"] differ. */
export function authenticate(key: Buffer, ...parts: string[]): Buffer {
  const hmac = createHmac("sha256", key);
  for (const part of parts) hmac.update(`${Buffer.byteLength(part)}:${part}`);
  return hmac.digest();
}

/** SHA-256 of UTF-8 text, as base64url: for what is random already (tokens), never for what can be guessed. */
export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Compares in constant time; different lengths are different. */
export function equals(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** AES-256-GCM: nonce, tag and ciphertext as base64url. `context` (an id) binds it to its row. */
export function seal(key: Buffer, plain: string, context: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
}

/** @throws where the text was changed, belongs to another context or was sealed with another key */
export function unseal(key: Buffer, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
}
