import type { RateSource } from "../exchange.server/context";
import type { Database } from "../exchange.server/db/database";
import { ratePoints } from "../exchange.server/db/schema/rates";
import { getLatestRate } from "../exchange.server/pricing/rates";
import { addMs, dayMs } from "../lib/durations";

/** A small seeded generator (mulberry32). The same seed gives the same sequence. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One step: a random change of up to 0.15%, plus a slight pull back to `start`. Rates have 12 decimals. */
function step(rate: bigint, start: bigint, random: () => number): bigint {
  const noise = BigInt(Math.round((random() * 2 - 1) * 1_500));
  const pull = ((start - rate) * 2_000n) / start;
  return rate + (rate * (noise + pull)) / 1_000_000n;
}

/**
 * The sandbox's rate source: a random walk around `start` (USDT per 1 MOB, 12 decimals). It
 * continues from the last stored rate, so that the rate does not jump at a restart.
 */
export function createRateWalk(db: Database, { start, seed }: { start: bigint; seed: number }): RateSource {
  const random = createRandom(seed);
  return {
    async getRate() {
      const last = await getLatestRate(db);
      return { rate: last ? step(last.rate, start, random) : start, at: new Date() };
    },
  };
}

const historySpanMs = 30 * dayMs;
const historyStepMs = 600_000;

/**
 * Gives a new sandbox 30 days of rates to show on the Rates page: the same walk, backwards from
 * `start`. Does nothing if a rate is already stored.
 */
export async function seedRateHistory(
  db: Database,
  { start, seed }: { start: bigint; seed: number },
  now: Date,
): Promise<void> {
  if (await getLatestRate(db)) return;
  const random = createRandom(seed ^ 0x5eed);
  const points: { rate: bigint; at: Date }[] = [];
  let rate = start;
  for (let age = 0; age <= historySpanMs; age += historyStepMs) {
    points.push({ rate, at: addMs(now, -age) });
    for (let i = 0; i < 4; i += 1) rate = step(rate, start, random);
  }
  points.reverse();
  for (let i = 0; i < points.length; i += 1_000) await db.insert(ratePoints).values(points.slice(i, i + 1_000));
}
