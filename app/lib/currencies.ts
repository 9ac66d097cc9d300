/** The currencies in which we show approximate values, and how to choose one for a visitor. */
import { yearSeconds } from "./durations";
import { readCookie } from "./read-cookie";

/** The regions (ISO 3166) where people pay with each currency. */
const regionsOf = {
  USD: "US PR VI GU EC SV PA",
  EUR: "AD AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MC ME MT NL PT SI SK SM VA XK",
  GBP: "GB GG IM JE",
  CHF: "CH LI",
  SEK: "SE",
  NOK: "NO SJ",
  DKK: "DK FO GL",
  ISK: "IS",
  PLN: "PL",
  CZK: "CZ",
  HUF: "HU",
  RON: "RO",
  UAH: "UA",
  TRY: "TR",
  ILS: "IL PS",
  AED: "AE",
  SAR: "SA",
  EGP: "EG",
  ZAR: "ZA",
  NGN: "NG",
  KES: "KE",
  INR: "IN",
  IDR: "ID",
  MYR: "MY",
  PHP: "PH",
  SGD: "SG",
  THB: "TH",
  VND: "VN",
  CNY: "CN",
  HKD: "HK",
  TWD: "TW",
  JPY: "JP",
  KRW: "KR",
  AUD: "AU NR KI TV",
  NZD: "NZ CK NU",
  CAD: "CA",
  MXN: "MX",
  BRL: "BR",
  ARS: "AR",
  CLP: "CL",
  COP: "CO",
  PEN: "PE",
} as const;

export type CurrencyCode = keyof typeof regionsOf;

export const currencyCodes = Object.keys(regionsOf) as CurrencyCode[];

const codeOfRegion = new Map(
  currencyCodes.flatMap((code) => regionsOf[code].split(" ").map((region) => [region, code] as const)),
);

/** The cookie with the currency that a visitor chose on /doger. */
export const currencyCookie = "currency";

/** A currency, or `none` to show no values. Null: the default for the visitor's language. */
export type CurrencyChoice = CurrencyCode | "none" | null;

export function isCurrencyCode(text: string): text is CurrencyCode {
  return Object.hasOwn(regionsOf, text);
}

/** @param cookies a Cookie header */
export function readCurrencyChoice(cookies: string | null): CurrencyChoice {
  const value = readCookie(cookies, currencyCookie) ?? "";
  return value === "none" || isCurrencyCode(value) ? value : null;
}

/** A Set-Cookie header that stores the choice for a year, or deletes it if the choice is null. */
export function toCurrencyCookie(choice: CurrencyChoice, secure: boolean): string {
  const age = choice === null ? 0 : yearSeconds;
  return `${currencyCookie}=${choice ?? ""}; Max-Age=${age}; Path=/; SameSite=Lax${secure ? "; Secure" : ""}`;
}

/**
 * The currency of a language tag's region. A tag without a region gets the most likely one for the language:
 * francs for `de-CH`, euros for `de`. An unknown region gets US dollars, which USDT is pegged to.
 */
export function toUsualCurrency(tag: string): CurrencyCode {
  return codeOfRegion.get(new Intl.Locale(tag).maximize().region ?? "") ?? "USD";
}
