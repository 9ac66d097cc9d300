import { secp256k1 } from "@noble/curves/secp256k1.js";
import { HDKey } from "@scure/bip32";
import { bytesToHex } from "viem";
import { publicKeyToAddress } from "viem/accounts";

/** Depth of a BIP-44 account key, m/44'/60'/0'. */
const accountDepth = 3;

/**
 * Derives funding addresses from an account-level xpub (m/44'/60'/0'): child 0/index, with
 * EIP-55 checksum. The exchange only has public keys; the private keys stay with the
 * operator, who collects the deposits. Throws an error for the operator when the key is not
 * an account xpub; its message does not contain the key.
 */
export function openFundingAddresses(xpub: string): (index: number) => `0x${string}` {
  let account: HDKey;
  try {
    account = HDKey.fromExtendedKey(xpub);
  } catch (cause) {
    throw new Error("ETH_XPUB is not an extended public key.", { cause });
  }
  if (account.privateKey !== null) {
    throw new Error("ETH_XPUB contains a private key. Use the xpub, and keep the xprv away from the exchange.");
  }
  if (account.depth !== accountDepth) throw new Error("ETH_XPUB is not an account key (m/44'/60'/0').");
  const external = account.deriveChild(0);

  return (index) => {
    const { publicKey } = external.deriveChild(index);
    if (!publicKey) throw new Error(`The xpub has no child 0/${index}.`);
    // viem expects an uncompressed key; from a compressed one it silently derives a wrong address.
    return publicKeyToAddress(bytesToHex(secp256k1.Point.fromBytes(publicKey).toBytes(false)));
  };
}
