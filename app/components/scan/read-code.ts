import { base58 } from "@scure/base";
import type { AddressType } from "~/lib/assets";
import { addressTypeNames } from "~/swaps/saved-address";

/** The result of reading a QR code: an address to fill in, or why there is none. */
export type ScannedCode = { address: string } | { problem: string };

/** The site pays on Ethereum only: mainnet, or Sepolia where the sandbox and test networks are. */
const ethereumChains = new Set(["1", "11155111"]);

/**
 * Reads the text of a QR code: a plain address, an `ethereum:` payment link (EIP-681), a `mob:` link or base58 of
 * MobileCoin. `type` is the expected kind of address; null accepts both. The server checks the address when it is
 * saved.
 */
export function readScannedCode(text: string, type: AddressType | null): ScannedCode {
  const code = text.trim();
  const isEthereum = /^(?:ethereum:|0x)/i.test(code);
  if (isEthereum && type === "MOB")
    return { problem: "This is an Ethereum address. Scan a MobileCoin address instead." };
  if (isEthereum) return readEthereum(code);
  const b58 = readMobileCoinText(code);
  if (b58 === null) {
    return {
      problem: type === null ? "This code has no address." : `This code has no ${addressTypeNames[type]} address.`,
    };
  }
  const kind = readKind(b58);
  if (kind === "gift code") {
    return { problem: "This is a gift code. Keep it secret: anyone who sees it can take its coins." };
  }
  if (type === "ETH") return { problem: "This is a MobileCoin address. Scan an Ethereum address instead." };
  if (kind === "payment request") return { problem: "This is a payment request. Scan the plain address." };
  return { address: b58 };
}

/**
 * `ethereum:TARGET@CHAIN/transfer?address=TO` names its receiver in the query; without a function, the target receives.
 */
function readEthereum(code: string): ScannedCode {
  if (/^0x[0-9a-f]{40}$/i.test(code)) return { address: withoutCapitals(code) };
  const link = /^ethereum:(?:pay-)?([^@/?]+)(?:@(\d+))?(?:\/([^?]*))?(?:\?(.*))?$/i.exec(code);
  const [, target = "", chain = "1", method = "", query = ""] = link ?? [];
  if (!ethereumChains.has(chain)) {
    return { problem: `This code is for another network (chain ${chain}). We send USDT on Ethereum only.` };
  }
  const receiver = method === "transfer" ? new URLSearchParams(query).get("address") : method === "" ? target : null;
  return receiver !== null && /^0x[0-9a-f]{40}$/i.test(receiver)
    ? { address: withoutCapitals(receiver) }
    : { problem: "This code has no Ethereum address." };
}

/** In lower case if all letters are capitals, as in compact QR codes. Such an address has no checksum. */
function withoutCapitals(address: string): string {
  return address === address.toUpperCase() ? address.toLowerCase() : address;
}

/** Base58 in the code: alone, or in `mob:///b58/X` and `mob://host/b58/X`. */
function readMobileCoinText(code: string): string | null {
  const b58 = /^mob:/i.test(code) ? (/^mob:\/\/[^/]*\/b58\/([^/?#]*)$/i.exec(code)?.[1] ?? "") : code;
  return /^[1-9A-HJ-NP-Za-km-z]{50,600}$/.test(b58) ? b58 : null;
}

/** After a checksum of four bytes, the first field of the PrintableWrapper identifies the kind of text. */
function readKind(b58: string): "address" | "payment request" | "gift code" {
  const field = (base58.decode(b58)[4] ?? 0) >> 3;
  if (field === 2) return "payment request";
  return field === 3 || field === 4 ? "gift code" : "address";
}
