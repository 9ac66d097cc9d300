/**
 * The sandbox's own keys. Public, worth nothing anywhere else, and none of them a child of
 * `test test … junk`, whose accounts every development chain hands out.
 */
import { HDKey } from "@scure/bip32";
import { keccak256, stringToBytes } from "viem";

/** Deploys the token, owns it and is the faucet. */
export const ownerPrivateKey = keccak256(stringToBytes("antelope sandbox: owner of the token and faucet"));

/** The hot wallet that payouts leave from. */
export const payoutPrivateKey = keccak256(stringToBytes("antelope sandbox: payout wallet"));

/** The account-level xpub (m/44'/60'/0') of the funding addresses; the exchange is given nothing more. */
export function makeSandboxXpub(): string {
  const seed = stringToBytes(keccak256(stringToBytes("antelope sandbox: seed of the funding addresses")));
  return HDKey.fromMasterSeed(seed.slice(0, 64)).derive("m/44'/60'/0'").publicExtendedKey;
}
