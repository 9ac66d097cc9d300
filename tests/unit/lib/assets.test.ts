import { expect, it } from "vitest";
import { isAssetSymbol } from "~/lib/assets";

it("USDT and MOB are assets, and nothing else is", () => {
  expect(["USDT", "MOB", "", "usdt", "ETH", null, 7].map(isAssetSymbol)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
