import type { CurrencyCode } from "../lib/currencies";
import { parseDecimal, RATE_DECIMALS } from "../lib/money";
import type { CurrencySource } from "./source";

/** Approximate exchange rates of the US dollar in 2026. */
const rates: Record<CurrencyCode, string> = {
  USD: "1",
  EUR: "0.86",
  GBP: "0.75",
  CHF: "0.8",
  SEK: "9.4",
  NOK: "10.1",
  DKK: "6.42",
  ISK: "123",
  PLN: "3.66",
  CZK: "20.9",
  HUF: "336",
  RON: "4.37",
  UAH: "41.6",
  TRY: "42",
  ILS: "3.3",
  AED: "3.6725",
  SAR: "3.75",
  EGP: "47.5",
  ZAR: "17.3",
  NGN: "1460",
  KES: "129",
  INR: "88.5",
  IDR: "16600",
  MYR: "4.2",
  PHP: "58.5",
  SGD: "1.3",
  THB: "32.5",
  VND: "26300",
  CNY: "7.12",
  HKD: "7.78",
  TWD: "30.8",
  JPY: "152",
  KRW: "1430",
  AUD: "1.53",
  NZD: "1.74",
  CAD: "1.4",
  MXN: "18.5",
  BRL: "5.4",
  ARS: "1450",
  CLP: "945",
  COP: "3880",
  PEN: "3.4",
};

/** Fixed rates for the sandbox, which uses no network. */
export function createSandboxRates(): CurrencySource {
  const perUsdt = new Map(
    Object.entries(rates).map(([code, rate]) => [code as CurrencyCode, parseDecimal(rate, RATE_DECIMALS)]),
  );
  return { current: () => ({ at: new Date(), perUsdt }) };
}
