import ky from "ky";
import { z } from "zod";
import { toDistinctUrls } from "../../lib/distinct-urls";
import { parseDecimal, RATE_DECIMALS } from "../../lib/money";
import type { RateSource } from "../context";

/** The response of a feed: USDT per 1 MOB, and the time of that rate. */
const feedSchema = z.object({ rate: z.string().max(32), at: z.string().datetime() });

/** Tolerated clock difference. A rate further in the future is rejected. */
const maxClockSkewMs = 60_000;

/**
 * A rate source over several HTTP feeds: the lower median of at least two feeds that agree, with the lowest and the
 * highest of them (T44). A feed that is listed twice counts once. Feeds that fail, or whose rate is zero, too old or in
 * the future, are ignored. If fewer than two remain, or they differ by more than `maxDeviationBps`, there is no rate.
 */
export function createRateFeeds(options: { urls: string[]; maxDeviationBps: number; maxAgeMs: number }): RateSource {
  const urls = toDistinctUrls(options.urls);
  return {
    async getRate() {
      const results = await Promise.allSettled(urls.map(readFeed));
      const now = Date.now();
      const usable = results.flatMap((result) => {
        if (result.status === "rejected") return [];
        const age = now - result.value.at.getTime();
        return result.value.rate > 0n && age <= options.maxAgeMs && age >= -maxClockSkewMs ? [result.value] : [];
      });
      usable.sort((a, b) => (a.rate < b.rate ? -1 : 1));
      const lowest = usable[0];
      const highest = usable.at(-1);
      const median = usable[Math.floor((usable.length - 1) / 2)];
      if (usable.length < 2 || !lowest || !highest || !median)
        throw new Error("Fewer than two rate feeds have a usable rate");
      if ((highest.rate - lowest.rate) * 10_000n > lowest.rate * BigInt(options.maxDeviationBps)) {
        throw new Error("The rate feeds disagree");
      }
      // A clock that is ahead must not make the rate last longer.
      const at = new Date(Math.min(median.at.getTime(), now));
      return { rate: median.rate, at, low: lowest.rate, high: highest.rate };
    },
  };
}

async function readFeed(url: string): Promise<{ rate: bigint; at: Date }> {
  const { rate, at } = feedSchema.parse(await ky.get(url, { timeout: 5_000, retry: 1, redirect: "error" }).json());
  return { rate: parseDecimal(rate, RATE_DECIMALS), at: new Date(at) };
}
