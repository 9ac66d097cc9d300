import { HTTPError, TimeoutError } from "ky";
import type { Logger } from "pino";
import { z } from "zod";
import { maxClockSkewMs } from "../../lib/clock-skew";
import { toDistinctUrls } from "../../lib/distinct-urls";
import { readFeed } from "../../lib/http/read-feed";
import { BodyTooLargeError } from "../../lib/http/whole-responses";
import { decimalPattern, parseDecimal, RATE_DECIMALS } from "../../lib/money";
import { onceAMinute } from "../../lib/once-a-minute";
import type { RateSource } from "../context";

/** The response of a feed: USDT per 1 MOB, and the time of that rate. */
const feedSchema = z.object({ rate: z.string().max(32).regex(decimalPattern), at: z.string().datetime() });

/** A rate takes less than 100 bytes. */
const maxBytes = 64 * 1024;

/**
 * A rate source over several HTTP feeds: the lower median of at least two feeds that agree, with the lowest and the
 * highest of them (T44). A feed that is listed twice counts once. Feeds that fail, or whose rate is zero, too old or in
 * the future, are ignored, and named in the log by their position. If fewer than two remain, or they differ by more
 * than `maxDeviationBps`, there is no rate.
 */
export function createRateFeeds(options: {
  urls: string[];
  maxDeviationBps: number;
  maxAgeMs: number;
  log: Pick<Logger, "warn">;
}): RateSource {
  const feeds = toDistinctUrls(options.urls).map((url) => ({ url, name: `feed ${options.urls.indexOf(url) + 1}` }));
  const mayLog = onceAMinute<string>();

  return {
    async getRate() {
      const results = await Promise.all(
        feeds.map(({ url, name }) =>
          readRate(url).then(
            (point) => ({ name, point, reason: findFault(point, Date.now(), options.maxAgeMs) }),
            (error: unknown) => ({ name, point: null, reason: toReason(error) }),
          ),
        ),
      );
      const now = Date.now();
      const usable = results.flatMap(({ point, reason }) => (point !== null && reason === null ? [point] : []));
      const faults = results.flatMap(({ name, reason }) => (reason === null ? [] : [{ name, reason }]));
      for (const { name, reason } of faults)
        if (mayLog(name)) options.log.warn({ feed: name, reason }, "a rate feed has no usable rate");
      usable.sort((a, b) => (a.rate < b.rate ? -1 : 1));
      const lowest = usable[0];
      const highest = usable.at(-1);
      const median = usable[Math.floor((usable.length - 1) / 2)];
      if (usable.length < 2 || !lowest || !highest || !median)
        throw new Error(`Fewer than two rate feeds have a usable rate${toList(faults)}`);
      if ((highest.rate - lowest.rate) * 10_000n > lowest.rate * BigInt(options.maxDeviationBps)) {
        throw new Error("The rate feeds disagree");
      }
      // A clock that is ahead must not make the rate last longer.
      const at = new Date(Math.min(median.at.getTime(), now));
      return { rate: median.rate, at, low: lowest.rate, high: highest.rate };
    },
  };
}

type RatePoint = { rate: bigint; at: Date };

/** Why a rate cannot be used, without a number that changes with each attempt; null if it can. */
function findFault({ rate, at }: RatePoint, now: number, maxAgeMs: number): string | null {
  const age = now - at.getTime();
  if (age > maxAgeMs) return "its rate is too old";
  if (age < -maxClockSkewMs) return "its rate is from the future";
  return rate > 0n ? null : "its rate is 0";
}

/** Why a feed could not be read, without its URL or its response. */
function toReason(error: unknown): string {
  if (error instanceof HTTPError) return `HTTP ${error.response.status}`;
  if (error instanceof TimeoutError) return "no response in time";
  if (error instanceof BodyTooLargeError) return "its response is too long";
  if (error instanceof SyntaxError) return "its response is not JSON";
  if (error instanceof z.ZodError) return `its response has an invalid ${error.issues[0]?.path.join(".") || "form"}`;
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause ? String(cause.code) : "it cannot be read";
}

const toList = (faults: readonly { name: string; reason: string }[]) =>
  faults.length === 0 ? "" : ` (${faults.map(({ name, reason }) => `${name}: ${reason}`).join("; ")})`;

async function readRate(url: string): Promise<RatePoint> {
  const { rate, at } = feedSchema.parse(await readFeed(url, maxBytes));
  return { rate: parseDecimal(rate, RATE_DECIMALS), at: new Date(at) };
}
