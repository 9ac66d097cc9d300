/**
 * The constants of the specification, each with its ID; K01 and K02 are in assets.ts. They are the same in every
 * installation.
 */
import { minuteMs } from "./durations";

/** K03: accounts younger than this see the welcome pages on their first visit. */
export const newUserWindowMs = minuteMs;

/** K04: how often the user is fetched again with a passkey session. */
export const userRefreshMs = minuteMs;

/** K05: API calls. */
export const requestTimeoutMs = minuteMs;
export const requestRetries = 3;

/** K06: retries of the calls for the user and the assets. */
export const userRetries = 1;
export const assetsRetries = 1;

/** K07: the query cache. */
export const queryStaleMs = 5 * minuteMs;
export const queryLifetimeMs = 5 * minuteMs;
export const queryRetries = 3;

/** K07: 1 s, doubled with every attempt (counted from 0), at most 30 s. */
export function queryRetryDelayMs(attempt: number): number {
  return Math.min(1000 * 2 ** attempt, 30_000);
}
export const queryKeyNames = [
  "user",
  "assets",
  "quote",
  "activeQuote",
  "fundingAddress",
  "deliveryAddress",
  "swaps",
] as const;

/** K08: the welcome pages. */
export const welcomeSteps = 9;
export const welcomePages = ["what-is-signal", "enable-signal"] as const;

/** K09: the wallet's chains. */
export const mainnetChainId = 1;
export const sepoliaChainId = 11_155_111;

/** The networks of the sandbox. Its MobileCoin is a network of its own. */
export const sandboxNetworks = { USDT: sepoliaChainId, MOB: "sandbox" } as const;

/** K10: the wallet's JSON-RPC requests. */
export const walletRpcTimeoutMs = 10_000;
export const walletRpcRetries = 3;
export const walletRpcRetryDelayMs = 150;
export const walletRpcBatchSize = 1000;

/** How long WalletConnect's relay may take to accept a pairing. */
export const relayTimeoutMs = 20_000;
