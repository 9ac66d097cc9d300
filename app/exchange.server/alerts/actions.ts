import type { AssetSymbol } from "../../lib/assets";

/** What an operator does when an account's balance is too low. */
export const addFunds = 'Add funds and book them with "operate float".';

/** What an operator does when the nodes of a chain do not answer, or do not agree. */
export const checkNodes = (asset: AssetSymbol): string =>
  asset === "USDT" ? "Check the nodes in ETH_RPC_URLS." : "Check full-service (MOBILECOIN_URL).";
