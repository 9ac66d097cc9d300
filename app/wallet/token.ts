import { parseAbi } from "viem";

/**
 * Declares no return value: Tether's `transfer` returns nothing, which viem rejects if the ABI declares
 * a bool. Without outputs the ABI works for Tether and for every other ERC-20 token.
 */
export const transferAbi = parseAbi(["function transfer(address to, uint256 value)"]);

/** Read before a payment and to explain a rejected one. `paused` and `isBlackListed` are specific to Tether. */
export const tokenAbi = parseAbi([
  "function balanceOf(address owner) view returns (uint256)",
  "function paused() view returns (bool)",
  "function isBlackListed(address owner) view returns (bool)",
]);
