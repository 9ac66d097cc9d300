import { describe, expect, it } from "vitest";
import { currencyCodes, readCurrencyChoice, toCurrencyCookie, toUsualCurrency } from "~/lib/currencies";

describe("the usual currency", () => {
  it.each([
    ["de-DE", "EUR"],
    ["de-CH", "CHF"],
    ["en-GB", "GBP"],
    ["fr-CA", "CAD"],
    ["de", "EUR"],
    ["ja", "JPY"],
    ["en", "USD"],
    ["zh-Hant-TW", "TWD"],
    ["es-419", "USD"],
    ["en-AQ", "USD"],
  ])("for the language tag %s is %s", (tag, code) => expect(toUsualCurrency(tag)).toBe(code));
});

describe("the visitor's choice of a currency", () => {
  it("is kept in a cookie for a year", () => {
    expect(toCurrencyCookie("CHF", true)).toBe("currency=CHF; Max-Age=31536000; Path=/; SameSite=Lax; Secure");
    expect(toCurrencyCookie("none", false)).toBe("currency=none; Max-Age=31536000; Path=/; SameSite=Lax");
  });

  it("is deleted when the visitor chooses the default", () =>
    expect(toCurrencyCookie(null, false)).toContain("currency=; Max-Age=0"));

  it("is read from the cookie header", () => {
    for (const code of currencyCodes) expect(readCurrencyChoice(`a=1; currency=${code}; b=2`)).toBe(code);
    expect(readCurrencyChoice("currency=none")).toBe("none");
  });

  it.each([null, "", "currency=", "currency=XXX", "currency=eur", "mycurrency=EUR", "currency=EUR.1"])(
    "is none of its own in %s",
    (cookies) => expect(readCurrencyChoice(cookies)).toBeNull(),
  );
});
