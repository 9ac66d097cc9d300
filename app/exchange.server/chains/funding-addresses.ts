import { secp256k1 } from "@noble/curves/secp256k1.js";
import { HDKey } from "@scure/bip32";
import { bytesToHex } from "viem";
import { publicKeyToAddress } from "viem/accounts";

/** BIP-44: m / 44' / 60' / 0' is three steps below the root. */
const accountDepth = 3;

/**
 * Funding addresses from an account-level xpub (m/44'/60'/0'): child 0/index, checksummed.
 * Only public keys are ever here; the private ones belong to whoever sweeps. Throws a
 * sentence for the operator where the key is not such an xpub; it does not repeat the key.
 */
export function openFundingAddresses(xpub: string): (index: number) => `0x${string}` {
  let account: HDKey;
  try {
    account = HDKey.fromExtendedKey(xpub);
  } catch (cause) {
    throw new Error("ETH_XPUB is not an extended public key.", { cause });
  }
  if (account.privateKey !== null) {
    throw new Error("ETH_XPUB holds a private key. Give the exchange the xpub, and keep the xprv away from it.");
  }
  if (account.depth !== accountDepth) throw new Error("ETH_XPUB is not of an account (m/44'/60'/0').");
  const external = account.deriveChild(0);

  return (index) => {
    const { publicKey } = external.deriveChild(index);
    if (!publicKey) throw new Error(`The xpub has no child 0/${index}.`);
    // viem takes a compressed key without complaint and answers a wrong address (facts 68).
    return publicKeyToAddress(bytesToHex(secp256k1.Point.fromBytes(publicKey).toBytes(false)));
  };
}
