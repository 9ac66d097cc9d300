import { describe, expect, it } from "vitest";
import { isAssetSymbol } from "~/lib/assets";
import { listCountries } from "~/lib/countries";
import { toPricedPair } from "~/lib/priced-pair";
import { StartupError } from "~/lib/startup-error";

describe("the small parts of screens", () => {
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

  it("a quote's pair has its assets and its rate with 12 decimals", () => {
    const quote = { source_asset_symbol: "USDT", target_asset_symbol: "MOB", exchange_rate: "2.857142857142" } as const;
    expect(toPricedPair(quote)).toEqual({ source: "USDT", target: "MOB", rate: 2_857_142_857_142n });
  });

  it("lists countries by their name in the visitor's language, in English by default", () => {
    const english = listCountries();
    expect(english).toHaveLength(249);
    expect(english[0]).toEqual({ value: "AF", label: "Afghanistan" });
    expect(english.findIndex(({ value }) => value === "AX")).toBeGreaterThan(
      english.findIndex(({ value }) => value === "AF"),
    );
    const german = listCountries("de");
    expect(german.find(({ value }) => value === "DE")).toEqual({ value: "DE", label: "Deutschland" });
    expect(german.map(({ label }) => label)).toEqual(
      german.map(({ label }) => label).sort((a, b) => a.localeCompare(b, "de")),
    );
  });

  it("a reason why the site cannot start has a name, a sentence and its cause", () => {
    const cause = new Error("EADDRINUSE");
    expect(new StartupError("PORT is taken.", { cause })).toMatchObject({
      name: "StartupError",
      message: "PORT is taken.",
      cause,
    });
  });
});
