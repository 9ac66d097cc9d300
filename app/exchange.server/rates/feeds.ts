import ky from "ky";
import { z } from "zod";
import { parseDecimal, RATE_DECIMALS } from "../../lib/money";
import type { RateSource } from "../context";

/** What a feed answers: USDT per 1 MOB, and when that was true. */
const feedSchema = z.object({ rate: z.string().max(32), at: z.string().datetime() });

/** A clock that runs a little ahead of ours is forgiven; anything further ahead is a lie. */
const aheadMs = 60_000;

/**
 * The live rate: the lower middle of at least two feeds that agree (T44). A feed that does
 * not answer, lies in the future, is old or zero is left out; what then remains must be two
 * at least, no further apart than `maxDeviationBps`. Otherwise there is no rate, and no quotes.
 */
export function createRateFeeds(options: { urls: string[]; maxDeviationBps: number; maxAgeMs: number }): RateSource {
  return {
    async getRate() {
      const answers = await Promise.allSettled(options.urls.map(readFeed));
      const now = Date.now();
      const good = answers.flatMap((answer) => {
        if (answer.status === "rejected") return [];
        const age = now - answer.value.at.getTime();
        return answer.value.rate > 0n && age <= options.maxAgeMs && age >= -aheadMs ? [answer.value] : [];
      });
      good.sort((a, b) => (a.rate < b.rate ? -1 : 1));
      const lowest = good[0];
      const highest = good.at(-1);
      const middle = good[Math.floor((good.length - 1) / 2)];
      if (good.length < 2 || !lowest || !highest || !middle) throw new Error("Fewer than two rate feeds answer");
      if ((highest.rate - lowest.rate) * 10_000n > lowest.rate * BigInt(options.maxDeviationBps)) {
        throw new Error("The rate feeds disagree");
      }
      return middle;
    },
  };
}

async function readFeed(url: string): Promise<{ rate: bigint; at: Date }> {
  const answer = feedSchema.parse(await ky.get(url, { timeout: 5_000, retry: 1, redirect: "error" }).json());
  return { rate: parseDecimal(answer.rate, RATE_DECIMALS), at: new Date(answer.at) };
}
