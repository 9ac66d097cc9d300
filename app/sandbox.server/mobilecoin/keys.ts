import { createHash } from "node:crypto";
import { ristretto255, ristretto255_hasher } from "@noble/curves/ed25519.js";
import { blake2b } from "@noble/hashes/blake2.js";
import { encodeMobAddress } from "../../exchange.server/addresses/mob-address";

/** Reserved subaddress indices (mobilecoin, core/src/consts.rs). */
export const mainSubaddress = 0n;
export const changeSubaddress = 2n ** 64n - 2n;

/** Order of the Ristretto group. */
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

export type AccountKeys = {
  /** 64 hex digits, derived from the seed. */
  id: string;
  /** Returns the public address at an index, as base58. */
  toAddress(index: bigint): string;
};

/**
 * Derives the keys of an account from its seed, like MobileCoin: a private view key `a`, a private
 * spend key `b`, and for subaddress `i` the spend key `D = (Hs(a, i) + b)·G` and the view key
 * `C = a·D`. Every address is therefore valid for any MobileCoin software.
 */
export function createAccountKeys(seed: string): AccountKeys {
  const viewPrivate = toScalar("view", seed);
  const spendPrivate = toScalar("spend", seed);
  return {
    id: createHash("sha256").update(`account:${seed}`).digest("hex"),
    toAddress(index) {
      const offset = toScalar("mc_subaddress", viewPrivate.toString(16), index.toString());
      const spend = ristretto255.Point.BASE.multiply((offset + spendPrivate) % groupOrder);
      const view = spend.multiply(viewPrivate);
      return encodeMobAddress({ viewPublicKey: view.toBytes(), spendPublicKey: spend.toBytes() });
    },
  };
}

/** Returns a point without a known private key, as hex: a txo's public or target key. */
export function toPointHex(...parts: string[]): string {
  const point = ristretto255_hasher.deriveToCurve?.(blake2b(Buffer.from(parts.join(":")), { dkLen: 64 }));
  if (!point) throw new Error("ristretto255 cannot derive points");
  return Buffer.from(point.toBytes()).toString("hex");
}

function toScalar(...parts: string[]): bigint {
  const digest = blake2b(Buffer.from(parts.join(":")), { dkLen: 64 });
  return (BigInt(`0x${Buffer.from(digest).toString("hex")}`) % (groupOrder - 1n)) + 1n;
}
