import { randomBytes, randomInt } from "node:crypto";

/** 128 random bits in base64url, 22 characters: every id but a quote's. */
export function newId(): string {
  return randomBytes(16).toString("base64url");
}

/** A quote's id: a random integer from 2^32 to 2^53-1 (the specification wants a number). */
export function newQuoteId(): number {
  const high = randomInt(1, 2 ** 21);
  const low = randomInt(0, 2 ** 32);
  return high * 2 ** 32 + low;
}
