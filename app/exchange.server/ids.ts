import { randomBytes, randomInt } from "node:crypto";

/** A random id: 128 bits in base64url, 22 characters. Used for everything except quotes. */
export function newId(): string {
  return randomBytes(16).toString("base64url");
}

/** A random quote id: an integer from 2^32 to 2^53 - 1, because the specification requires a number. */
export function newQuoteId(): number {
  const high = randomInt(1, 2 ** 21);
  const low = randomInt(0, 2 ** 32);
  return high * 2 ** 32 + low;
}
