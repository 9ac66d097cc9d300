/**
 * The sandbox's keys. They are public and worthless anywhere else. None is derived from
 * `test test … junk`, the mnemonic that every development chain shares.
 */
import { HDKey } from "@scure/bip32";
import { keccak256, stringToBytes } from "viem";

/** Deploys and owns the token, and sends from the faucet. */
export const ownerPrivateKey = keccak256(stringToBytes("antelope sandbox: owner of the token and faucet"));

/** The hot wallet for payouts. */
export const payoutPrivateKey = keccak256(stringToBytes("antelope sandbox: payout wallet"));

/** The account-level xpub (m/44'/60'/0') of the funding addresses. The exchange does not get a private key for them. */
export function makeSandboxXpub(): string {
  const seed = stringToBytes(keccak256(stringToBytes("antelope sandbox: seed of the funding addresses")));
  return HDKey.fromMasterSeed(seed.slice(0, 64)).derive("m/44'/60'/0'").publicExtendedKey;
}
