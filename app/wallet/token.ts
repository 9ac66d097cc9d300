import { parseAbi } from "viem";

/**
 * Tether's `transfer` returns nothing, and an ABI that promises a bool makes its empty answer
 * an error. Without outputs the same ABI fits Tether and every other ERC-20.
 */
export const transferAbi = parseAbi(["function transfer(address to, uint256 value)"]);

/** What is read before a payment, and to say why one was refused. The last two are Tether's own. */
export const tokenAbi = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function paused() view returns (bool)",
  "function isBlackListed(address owner) view returns (bool)",
]);
