import { asc, desc, lt, sql } from "drizzle-orm";
import type { RateRange } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { type Database, rowsOf } from "../db/database";
import { ExchangeError } from "../errors";
import { ratePoints } from "./tables";

export type RatePoint = { rate: bigint; at: Date };

/** The newest rate (USDT per 1 MOB, 12 decimals), however old; null before the first. */
export async function getLatestRate(db: Database): Promise<RatePoint | null> {
  const [row] = await db.select().from(ratePoints).orderBy(desc(ratePoints.at), desc(ratePoints.id)).limit(1);
  return row ?? null;
}

/** The newest rate, young enough to quote on. @throws rate_unknown */
export async function requireRate(db: Database, x: ExchangeContext): Promise<RatePoint> {
  const latest = await getLatestRate(db);
  const now = await x.clock.now(db);
  if (!latest || now.getTime() - latest.at.getTime() > x.config.rateMaxAgeMs) {
    throw new ExchangeError("rate_unknown", { retryAfterSeconds: 15 });
  }
  return latest;
}

const ranges = {
  "1h": { spanMs: 3_600_000, buckets: 120 },
  "24h": { spanMs: 86_400_000, buckets: 144 },
  "7d": { spanMs: 604_800_000, buckets: 168 },
  "30d": { spanMs: 2_592_000_000, buckets: 180 },
} as const satisfies Record<RateRange, { spanMs: number; buckets: number }>;

/** The last rate of each of at most 180 equal spans, oldest first. */
export async function getRateHistory(db: Database, range: RateRange, now: Date): Promise<RatePoint[]> {
  const { spanMs, buckets } = ranges[range];
  const from = new Date(now.getTime() - spanMs);
  const seconds = spanMs / buckets / 1000;
  const rows = await rowsOf<{ rate: string; ms: string }>(
    db,
    sql`select distinct on (bucket) rate::text as rate, floor(extract(epoch from at) * 1000)::text as ms
          from (select rate, at, floor(extract(epoch from at) / ${seconds}::numeric) as bucket
                  from rate_points where at >= ${from.toISOString()}::timestamptz) as points
         order by bucket, at desc`,
  );
  return rows.map((row) => ({ rate: BigInt(row.rate), at: new Date(Number(row.ms)) }));
}

/** Asks the source once and keeps its answer; drops what no range shows any more. */
export async function refreshRate(x: ExchangeContext): Promise<void> {
  const { rate, at } = await x.rateSource.getRate();
  await x.db.insert(ratePoints).values({ rate, at });
  await x.db.delete(ratePoints).where(lt(ratePoints.at, new Date(at.getTime() - 31 * 86_400_000)));
}

/** The oldest rate kept; tells a new exchange whether there is any history yet. */
export async function getOldestRate(db: Database): Promise<RatePoint | null> {
  const [row] = await db.select().from(ratePoints).orderBy(asc(ratePoints.at)).limit(1);
  return row ?? null;
}
