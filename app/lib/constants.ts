/**
 * The constants of the specification (section 9), each with its id. Configuration
 * has its own place (config.server.ts); what stands here is the same everywhere.
 */
import { addressTypes, assetSymbols } from "./assets";

/** K01: the assets of the product. @public */
export const swapAssets = assetSymbols;

/** K02: the types of address. @public */
export const deliveryAddressTypes = addressTypes;

/** K03: an account younger than this is led to the welcome pages at its first visit. */
export const newUserWindowMs = 60_000;

/** K04: how often the user is fetched again while passkey-authenticated. */
export const userRefreshMs = 60_000;

/** K05: one call of the API. */
export const requestTimeoutMs = 60_000;
export const requestRetries = 3;

/** K06: how often the calls for the user and the assets are repeated. */
export const userRetries = 1;
export const assetsRetries = 1;

/** K07: the query cache. */
export const queryStaleMs = 300_000;
export const queryLifetimeMs = 5 * 60_000;
export const queryRetries = 3;
/** K07: a second, doubled with every attempt (from 0), half a minute at most. */
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

/** K09: the chains of the wallet. */
export const mainnetChainId = 1;
/** @public */
export const sepoliaChainId = 11_155_111;

/** K10: the wallet's JSON-RPC. */
export const walletRpcTimeoutMs = 10_000;
export const walletRpcRetries = 3;
export const walletRpcRetryDelayMs = 150;
export const walletRpcBatchSize = 1000;
