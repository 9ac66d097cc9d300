import { describe, expect, it } from "vitest";
import { chooseCurrency, listCurrencyOptions } from "~/currency/currency.server";
import { createSandboxRates } from "~/currency/sandbox-rates.server";
import { currencyCodes } from "~/lib/currencies";

const rates = createSandboxRates();
const choose = (language: string, cookie = "") =>
  chooseCurrency(new Headers({ "Accept-Language": language, Cookie: cookie }), rates);

describe("the visitor's currency", () => {
  it("follows the region of their language, and is written as there", () => {
    expect(choose("de-DE,de;q=0.9,en;q=0.8")).toEqual({
      code: "EUR",
      name: "euros",
      perUsdt: "0.86",
      decimals: 2,
      prefix: "",
      suffix: "\u00a0€",
    });
    expect(choose("en-IE")).toMatchObject({ code: "EUR", prefix: "€", suffix: "" });
    expect(choose("ja-JP")).toMatchObject({ code: "JPY", name: "Japanese yen", decimals: 0 });
  });

  it("is the one they chose, whatever their language", () => {
    expect(choose("de-DE", "currency=CHF")).toMatchObject({ code: "CHF", name: "Swiss francs" });
  });

  it("is none if they chose none", () => expect(choose("de-DE", "currency=none")).toBeNull());

  it("is none while its rate is not known", () => {
    const headers = new Headers({ "Accept-Language": "de-DE" });
    expect(chooseCurrency(headers, { current: () => null })).toBeNull();
    const dollars = { at: new Date(), perUsdt: new Map([["USD", 10n ** 12n] as const]) };
    expect(chooseCurrency(headers, { current: () => dollars })).toBeNull();
  });

  it("can be chosen from every currency that the sandbox has, by name", () => {
    const options = listCurrencyOptions(new Headers({ "Accept-Language": "de-AT", Cookie: "currency=GBP" }));
    expect(options).toMatchObject({ choice: "GBP", usual: "Euro" });
    expect(options?.currencies.map(({ code }) => code).sort()).toEqual([...currencyCodes].sort());
    expect(options?.currencies).toContainEqual({ code: "CHF", name: "Swiss Franc" });
  });
});
