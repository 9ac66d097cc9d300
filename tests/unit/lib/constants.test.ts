import { describe, expect, it } from "vitest";
import { addressTypes, assetSymbols } from "~/lib/assets";
import * as constants from "~/lib/constants";

describe("the specification's constants", () => {
  it("K01 K02 K03 K04 K05 K06 K08 K09 K10 have the specified values", () => {
    expect(assetSymbols).toEqual(["USDT", "MOB"]);
    expect(addressTypes).toEqual(["MOB", "ETH"]);
    expect(constants).toMatchObject({
      newUserWindowMs: 60_000,
      userRefreshMs: 60_000,
      requestTimeoutMs: 60_000,
      requestRetries: 3,
      userRetries: 1,
      assetsRetries: 1,
      welcomeSteps: 9,
      welcomePages: ["what-is-signal", "enable-signal"],
      mainnetChainId: 1,
      sepoliaChainId: 11_155_111,
      walletRpcTimeoutMs: 10_000,
      walletRpcRetries: 3,
      walletRpcRetryDelayMs: 150,
      walletRpcBatchSize: 1_000,
    });
  });

  it("K07 define the query cache's times and keys", () => {
    expect(constants.queryStaleMs).toBe(300_000);
    expect(constants.queryLifetimeMs).toBe(300_000);
    expect(constants.queryRetries).toBe(3);
    expect([0, 1, 4, 5, 9].map(constants.queryRetryDelayMs)).toEqual([1_000, 2_000, 16_000, 30_000, 30_000]);
    expect(constants.queryKeyNames).toEqual([
      "user",
      "assets",
      "quote",
      "activeQuote",
      "fundingAddress",
      "deliveryAddress",
      "swaps",
    ]);
  });
});
