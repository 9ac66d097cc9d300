import { and, asc, desc, gt, gte, lt, max, sql } from "drizzle-orm";
import { maxBigint, minBigint } from "../../lib/bigint";
import { addMs, dayMs, hourMs, minuteMs } from "../../lib/durations";
import { formatDecimal } from "../../lib/money";
import type { BidAsk } from "../../lib/price";
import { type RateRange, rateRangeMs } from "../../lib/rate-ranges";
import type { ExchangeContext, RunningContext } from "../context";
import { type Database, queryRows } from "../db/database";
import { insertIf } from "../db/insert-if";
import { ratePoints } from "../db/schema/rates";
import { toFirstLine } from "../describe-error";
import { ExchangeError } from "../errors";
import { perContext } from "../per-context";
import { switchOff } from "../switches/switches";
import { toRangeBps, toTwoSidedRate } from "./spread";

export type RatePoint = { rate: bigint; at: Date };

/**
 * The rate that was stored last (USDT per 1 MOB, 12 decimals) with its two prices, of any age; null before the first.
 * Its time may be earlier than the previous rate's, because it may come from another feed.
 */
export async function getLatestRate(db: Database): Promise<(RatePoint & BidAsk) | null> {
  const [row] = await db.select().from(ratePoints).orderBy(desc(ratePoints.id)).limit(1);
  return row ? toPrices(row) : null;
}

/** A stored rate with its two prices. */
export function toPrices({ rate, bid, ask, at }: typeof ratePoints.$inferSelect): RatePoint & BidAsk {
  return { rate, at, bid: bid ?? rate, ask: ask ?? rate };
}

/** The newest rate, if it is recent enough for quotes. @throws rate_unknown */
export async function requireRate(db: Database, ctx: ExchangeContext): Promise<RatePoint & BidAsk> {
  return requireRecent(ctx, await getLatestRate(db), await ctx.clock.now(db));
}

/** Requires that a rate is recent enough for quotes. @throws rate_unknown */
export function requireRecent<R extends RatePoint>(ctx: ExchangeContext, rate: R | null, now: Date): R {
  if (!rate || !isRecent(ctx, rate, now)) throw new ExchangeError("rate_unknown", { retryAfterSeconds: 15 });
  return rate;
}

export function isRecent({ config }: ExchangeContext, { at }: Pick<RatePoint, "at">, now: Date): boolean {
  return now.getTime() - at.getTime() <= config.rateMaxAgeMs;
}

/** The number of equal intervals in each range. The last rate in each interval is shown. */
const buckets = { "1h": 120, "24h": 144, "7d": 168, "30d": 180 } as const satisfies Record<RateRange, number>;

/**
 * The rates of a range, oldest first: the last one in each of at most 180 equal intervals.
 * @param newestId leaves out rates that were stored after this one, which is shown as the current rate
 */
export async function getRateHistory(
  db: Database,
  range: RateRange,
  now: Date,
  newestId: number | null = null,
): Promise<RatePoint[]> {
  const from = addMs(now, -rateRangeMs[range]);
  const seconds = rateRangeMs[range] / buckets[range] / 1000;
  const rows = await queryRows<{ rate: string; ms: string }>(
    db,
    sql`select distinct on (bucket) rate::text as rate, floor(extract(epoch from at) * 1000)::text as ms
          from (select rate, at, floor(extract(epoch from at) / ${seconds}::numeric) as bucket
                  from rate_points
                 where at >= ${from.toISOString()}::timestamptz
                   and id <= coalesce(${newestId}::bigint, id)) as points
         order by bucket, at desc`,
  );
  return rows.map((row) => ({ rate: BigInt(row.rate), at: new Date(Number(row.ms)) }));
}

/**
 * Returns a function that reads the rates of a range, and reads a range again only when `newestId` has changed. Until
 * then, the result still contains rates that have become too old for the range.
 */
export function createRateHistories(
  db: Database,
): (range: RateRange, now: Date, newestId: number | null) => Promise<RatePoint[]> {
  const known = new Map<RateRange, { newestId: number | null; points: Promise<RatePoint[]> }>();
  return (range, now, newestId) => {
    const last = known.get(range);
    if (last?.newestId === newestId) return last.points;
    const points = getRateHistory(db, range, now, newestId);
    known.set(range, { newestId, points });
    // A reading that failed is not kept.
    points.catch(() => known.delete(range));
    return points;
  };
}

/** Why there was no rate when a process last requested one, and when that was. */
const lastFailure = perContext((): { failure: { message: string; at: number } | null } => ({ failure: null }));

/** If a process has not requested a rate for this long, another process is doing so. */
const failureMs = minuteMs;

/**
 * Why there was no rate when this process last requested one; null if there was, or if it has not requested one
 * recently.
 */
export function getRateFailure(ctx: ExchangeContext): string | null {
  const { failure } = lastFailure(ctx);
  return failure && performance.now() - failure.at < failureMs ? failure.message : null;
}

/** How far back to look for a jump of the rate. */
const jumpWindowMs = hourMs;

/**
 * Stores a new rate from the rate source with its two prices. Its age is measured by the database's clock, but a clock
 * that is behind must not make the rate last longer. If the rate has jumped, new swaps stop. If another process has
 * stored a rate in the meantime, this one is older and is dropped.
 */
export async function refreshRate(ctx: RunningContext): Promise<void> {
  const [newest] = await ctx.db.select({ id: max(ratePoints.id) }).from(ratePoints);
  const {
    rate,
    at: ratedAt,
    low = rate,
    high = rate,
  } = await ctx.rateSource.getRate().catch((error: unknown) => {
    lastFailure(ctx).failure = { message: toFirstLine(error), at: performance.now() };
    throw error;
  });
  lastFailure(ctx).failure = null;
  const now = await ctx.clock.now(ctx.db);
  const at = ratedAt < now ? ratedAt : now;
  const { rateVolatilityWindowMs, rateCalmBps: calmBps } = ctx.config;
  const since = addMs(at, -Math.max(rateVolatilityWindowMs, jumpWindowMs));
  // Includes the last rate before, so that a gap in the rates, however long, cannot hide a movement.
  const before = ctx.db
    .select({ at: max(ratePoints.at) })
    .from(ratePoints)
    .where(lt(ratePoints.at, since));
  const stored = await ctx.db
    .select({ rate: ratePoints.rate, at: ratePoints.at })
    .from(ratePoints)
    .where(gte(ratePoints.at, sql`coalesce((${before}), ${since.toISOString()}::timestamptz)`))
    .orderBy(asc(ratePoints.at));
  // This must happen before the rate is stored: after that, the jump would no longer be detected.
  await stopIfJump(ctx, { stored, rate, at });
  const lastBefore = stored.findLastIndex((point) => point.at.getTime() < at.getTime() - rateVolatilityWindowMs);
  const recent = stored.slice(Math.max(lastBefore, 0)).map((point) => point.rate);
  await insertIf(ctx.db, ratePoints, {
    values: { rate, at, ...toTwoSidedRate({ low, high }, { recent, calmBps }) },
    condition: sql`not exists (select from ${ratePoints} where ${gt(ratePoints.id, newest?.id ?? 0)})`,
  });
}

/** The cause for which swaps are switched off after a jump. */
export const rateCause = "rate";

/**
 * Stops new swaps if the rates of the last hour and the new one are further apart than we accept: all feeds may be
 * wrong, or the market manipulated. If there are none, the last rate before that is used. An operator decides when to
 * resume. Rates from before an earlier jump do not count, so each jump stops swaps only once.
 */
async function stopIfJump(
  ctx: ExchangeContext,
  { stored, rate, at }: { stored: readonly RatePoint[]; rate: bigint; at: Date },
): Promise<void> {
  const { rateMaxMoveBps } = ctx.config;
  if (rateMaxMoveBps === null) return;
  const lastHour = stored.filter((point) => at.getTime() - point.at.getTime() <= jumpWindowMs);
  const compared = lastHour.length > 0 ? lastHour : stored.slice(-1);
  const maxBps = BigInt(rateMaxMoveBps);
  const rates = compared.map((point) => point.rate);
  const movedBps = toRangeBps([...sinceLastJump(rates, maxBps), rate]);
  if (movedBps <= maxBps) return;
  const span =
    lastHour.length > 0 ? "within an hour" : `since ${compared[0]?.at.toISOString()}, the last time it was known`;
  const reason = `The rate moved by ${formatDecimal(movedBps, 2)}% ${span}. Once the rate is right, run "operate on swaps".`;
  if (await switchOff(ctx.db, "swaps", { cause: rateCause, reason, at }))
    ctx.log.fatal({ reason }, "new swaps are stopped");
}

/** The lowest and the highest of these rates, oldest first, since the last jump of more than `maxBps` among them. */
function sinceLastJump(rates: readonly bigint[], maxBps: bigint): bigint[] {
  let range: bigint[] = [];
  for (const rate of rates) {
    const wider = [...range, rate];
    range = toRangeBps(wider) > maxBps ? [rate] : [wider.reduce(minBigint), wider.reduce(maxBigint)];
  }
  return range;
}

/** Of rates older than this, one per hour is kept. Charts of shorter ranges show more rates. */
const keptWholeMs = 25 * hourMs;
/** How many rates one run looks at, oldest first. About 720 of them are rates that are kept once an hour. */
const thinnedPerRun = 5_000;

/**
 * Deletes rates that no chart shows: those older than every range and, of older ones, all but the last in each hour.
 * The newest rate is kept at any age, because the next one is compared with it.
 */
export async function purgeOldRates({ db }: ExchangeContext, now: Date): Promise<void> {
  const newest = db.select({ id: max(ratePoints.id) }).from(ratePoints);
  const isOld = lt(ratePoints.at, addMs(now, -31 * dayMs));
  await db.delete(ratePoints).where(and(isOld, lt(ratePoints.id, sql`(${newest})`)));
  const until = addMs(now, -keptWholeMs).toISOString();
  // The intervals of charts start on the hour, so that the last rate in each of them is also the last in its hour.
  await db.execute(sql`
    delete from rate_points where id in (
      select id
        from (select id, hour, lead(hour) over (order by at, id) as next_hour
                from (select id, at, floor(extract(epoch from at) / 3600) as hour
                        from rate_points where at < ${until}::timestamptz
                       order by at, id limit ${thinnedPerRun}) as oldest) as followed
       where hour = next_hour)`);
}
