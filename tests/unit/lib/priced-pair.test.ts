import { expect, it } from "vitest";
import { toPricedPair } from "~/lib/priced-pair";

it("a quote's pair has its assets and its rate with 12 decimals", () => {
  const quote = { source_asset_symbol: "USDT", target_asset_symbol: "MOB", exchange_rate: "2.857142857142" } as const;
  expect(toPricedPair(quote)).toEqual({ source: "USDT", target: "MOB", rate: 2_857_142_857_142n });
});
