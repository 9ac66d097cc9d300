/** The visitor's currency, from their choice on /doger or else their language, with its latest known rate. */
import { getConfig } from "../config/config.server";
import { getLog } from "../config/log.server";
import {
  type CurrencyChoice,
  type CurrencyCode,
  currencyCodes,
  readCurrencyChoice,
  toUsualCurrency,
} from "../lib/currencies";
import { memoize } from "../lib/memoize";
import { formatDecimal, RATE_DECIMALS } from "../lib/money";
import { readLanguageTag } from "../lib/read-locale.server";
import type { Currency } from "../lib/worth";
import { createCurrencyFeeds } from "./feeds.server";
import { createSandboxRates } from "./sandbox-rates.server";
import type { CurrencySource } from "./source";

let source: CurrencySource | undefined;

function getSource(): CurrencySource {
  if (source === undefined) {
    const { currencyFeeds, mode } = getConfig();
    const usesSandbox = mode === "sandbox" && currencyFeeds.length === 0;
    source = usesSandbox ? createSandboxRates() : createCurrencyFeeds({ urls: currencyFeeds, log: getLog() });
  }
  return source;
}

/** Returns null if the visitor chose no currency or the rate is unknown. */
export function readCurrency(headers: Headers): Currency | null {
  return chooseCurrency(headers, getSource());
}

/** Like `readCurrency`, but with the given rates. */
export function chooseCurrency(headers: Headers, rates: CurrencySource): Currency | null {
  const choice = readCurrencyChoice(headers.get("cookie"));
  const tag = readLanguageTag(headers.get("accept-language"));
  if (choice === "none") return null;
  const code = choice ?? toUsualCurrency(tag);
  const perUsdt = rates.current()?.perUsdt.get(code);
  return perUsdt === undefined ? null : { ...toStyle(tag, code), perUsdt: formatDecimal(perUsdt, RATE_DECIMALS) };
}

export type CurrencyOptions = {
  choice: CurrencyChoice;
  /** The name of the default currency for the visitor's language. */
  usual: string;
  currencies: { code: CurrencyCode; name: string }[];
};

/** The currencies to choose from, sorted by name. Returns null while no rate is known. */
export function listCurrencyOptions(headers: Headers): CurrencyOptions | null {
  const known = getSource().current()?.perUsdt;
  if (!known) return null;
  const currencies = currencyCodes
    .filter((code) => known.has(code))
    .map((code) => ({ code, name: toName(code) }))
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  const usual = toName(toUsualCurrency(readLanguageTag(headers.get("accept-language"))));
  return { choice: readCurrencyChoice(headers.get("cookie")), usual, currencies };
}

/** "Euro" */
function toName(code: CurrencyCode): string {
  return new Intl.DisplayNames("en", { type: "currency" }).of(code) ?? code;
}

type Style = Omit<Currency, "perUsdt">;

/** Cached, because creating an Intl formatter is slow and every page needs one. */
const toStyle = memoize((tag: string, code: CurrencyCode): Style => {
  const format = new Intl.NumberFormat(tag, { style: "currency", currency: code, numberingSystem: "latn" });
  const parts = format.formatToParts(2);
  const isNumber = ({ type }: Intl.NumberFormatPart) => type === "integer" || type === "decimal" || type === "fraction";
  const first = parts.findIndex(isNumber);
  const last = parts.findLastIndex(isNumber);
  const join = (some: Intl.NumberFormatPart[]) => some.map(({ value }) => value).join("");
  const named = new Intl.NumberFormat("en", { style: "currency", currency: code, currencyDisplay: "name" });
  return {
    code,
    name: named.formatToParts(2).find(({ type }) => type === "currency")?.value ?? code,
    decimals: format.resolvedOptions().maximumFractionDigits ?? 2,
    prefix: join(parts.slice(0, first)),
    suffix: join(parts.slice(last + 1)),
  };
});
