import type { Logger } from "pino";
import { z } from "zod";
import { maxClockSkewMs } from "../lib/clock-skew";
import { type CurrencyCode, isCurrencyCode } from "../lib/currencies";
import { dayMs, minuteMs } from "../lib/durations";
import { readFeed } from "../lib/http/read-feed";
import { parseDecimal, RATE_DECIMALS } from "../lib/money";
import type { CurrencySource, CurrencyTable } from "./source";

/** A feed's response: what 1 USDT is worth in each currency, and the time of these rates. */
const feedSchema = z.object({
  at: z.string().datetime(),
  rates: z.record(z.union([z.string().max(64), z.number()])),
});

/** The rates of all currencies take less than 10 kB. */
const maxBytes = 256 * 1024;

const refreshMs = 10 * minuteMs;
/** Banks publish no rates at weekends and on holidays. */
const maxAgeMs = 4 * dayMs;

/**
 * Rates from HTTP feeds. The first feed with usable rates wins. Rates older than ten minutes are fetched again the next
 * time a page needs them. Until new ones arrive, the old ones are used for up to four days.
 */
export function createCurrencyFeeds(options: {
  urls: string[];
  log: Pick<Logger, "warn">;
  now?: () => number;
}): CurrencySource {
  const { urls, log, now = Date.now } = options;
  let latest: CurrencyTable | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;

  async function refresh(): Promise<void> {
    for (const url of urls) {
      try {
        const table = await readRates(url);
        if (!isUsable(table, now())) throw new Error("The currency feed has no usable rates");
        latest = table;
        return;
      } catch (error) {
        log.warn({ err: error, feed: new URL(url).host }, "A currency feed did not send usable rates");
      }
    }
  }

  return {
    current() {
      if (now() - askedAt >= refreshMs) {
        askedAt = now();
        void refresh();
      }
      return latest && isUsable(latest, now()) ? latest : null;
    },
  };
}

/** Whether there are rates that are neither too old nor from the future, which would never become too old. */
function isUsable({ at, perUsdt }: CurrencyTable, now: number): boolean {
  const ageMs = now - at.getTime();
  return perUsdt.size > 0 && ageMs <= maxAgeMs && ageMs >= -maxClockSkewMs;
}

async function readRates(url: string): Promise<CurrencyTable> {
  const { at, rates } = feedSchema.parse(await readFeed(url, maxBytes));
  return { at: new Date(at), perUsdt: new Map(Object.entries(rates).flatMap(toEntry)) };
}

/** Skips currencies that we don't show and rates that aren't positive decimals. */
function toEntry([code, rate]: [string, string | number]): [CurrencyCode, bigint][] {
  const match = /^([0-9]{1,15})(?:\.([0-9]+))?$/.exec(String(rate));
  if (!match || !isCurrencyCode(code)) return [];
  const [, whole = "0", fraction = ""] = match;
  const units = parseDecimal(`${BigInt(whole)}.${fraction.slice(0, RATE_DECIMALS).padEnd(1, "0")}`, RATE_DECIMALS);
  return units > 0n ? [[code, units]] : [];
}
