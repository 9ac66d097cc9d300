import { parseAmount } from "~/lib/money";

/** A payment due to the exchange. `amount` is a decimal string of USDT. */
export type WalletFunding = {
  tokenAddress: `0x${string}`;
  chainId: number;
  address: `0x${string}`;
  amount: string;
};

/**
 * Parses the EIP-681 transfer request of a funding address, the only part of it that names the token:
 * `ethereum:<token>@<chain>/transfer?address=<to>&uint256=<units>`. Null for anything else.
 */
export function parseTransferUri(
  uri: string,
): { tokenAddress: `0x${string}`; chainId: number; address: `0x${string}` } | null {
  const match = /^ethereum:(?:pay-)?(0x[0-9a-f]{40})@([1-9][0-9]{0,15})\/transfer\?(.*)$/i.exec(uri);
  const to = match ? new URLSearchParams(match[3]).get("address") : null;
  const tokenAddress = toHexAddress(match?.[1]);
  const address = toHexAddress(to);
  return tokenAddress && address ? { tokenAddress, address, chainId: Number(match?.[2]) } : null;
}

/**
 * The link that opens a wallet on this device to pay `amount`, if that is less than what a USDT funding address asks
 * for.
 */
export function toPartialTransferUri(uri: string, amount: string): string | null {
  const transfer = parseTransferUri(uri);
  if (!transfer) return null;
  const { tokenAddress, chainId, address } = transfer;
  return `ethereum:${tokenAddress}@${chainId}/transfer?address=${address}&uint256=${parseAmount(amount, "USDT")}`;
}

function toHexAddress(text: string | null | undefined): `0x${string}` | null {
  return text && /^0x[0-9a-f]{40}$/i.test(text) ? `0x${text.slice(2)}` : null;
}
