import { and, asc, desc, eq, gte, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { addMs, dayMs, laterOf, minuteMs } from "../../lib/durations";
import type { PauseReason } from "../../lib/pause-reasons";
import type { ExchangeContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { acceptancePeriods } from "../db/schema/acceptance";
import { perContext } from "../per-context";
import { getMarket } from "./market";
import { reportSwapOutage } from "./outage";
import { getPauseReason } from "./swap-acceptance";

const keptMs = 30 * dayMs;
/** If there is no record for this long, the exchange was not running. */
const gapMs = minuteMs;
/** While nothing changes, the current period is extended this often. The job runs every five seconds. */
const extendAfterMs = 20_000;
/** Shorter interruptions are left out: a restart, or a node that missed a call. */
const shortestMs = minuteMs;
const most = 100;

/** What this process has recorded last. */
const recorded = perContext((): { last: { reason: PauseReason | null; at: Date } | null } => ({ last: null }));

/**
 * Job: records whether new swaps are accepted, deletes records that are older than 30 days, and alerts an operator to
 * a long outage.
 */
export async function recordAcceptance(ctx: ExchangeContext): Promise<void> {
  const market = await getMarket(ctx);
  const known = recorded(ctx).last;
  const at = await ctx.clock.now(ctx.db);
  const isKnown = known !== null && known.reason === getPauseReason(ctx, market, at);
  if (isKnown && at.getTime() - known.at.getTime() < extendAfterMs) return;
  const record = await ctx.db.transaction(async (tx) => {
    // If there are several processes, one of them extends the current period or starts the next.
    await lockFor(tx, "acceptance");
    const now = await ctx.clock.now(tx);
    const reason = getPauseReason(ctx, market, now);
    const [last] = await tx.select().from(acceptancePeriods).orderBy(desc(acceptancePeriods.id)).limit(1);
    const isContinued = last !== undefined && now.getTime() - last.endedAt.getTime() < gapMs;
    if (isContinued && last.endedAt < now) {
      await tx.update(acceptancePeriods).set({ endedAt: now }).where(eq(acceptancePeriods.id, last.id));
    }
    if (!isContinued || last.reason !== reason) {
      await tx.insert(acceptancePeriods).values({ reason, startedAt: now, endedAt: now });
      await tx.delete(acceptancePeriods).where(lt(acceptancePeriods.endedAt, addMs(now, -keptMs)));
    }
    await reportSwapOutage(tx, ctx, market, now);
    return { reason, at: now };
  });
  recorded(ctx).last = record;
}

/** `to` is null while it lasts. */
type Interruption = { reason: string; from: Date; to: Date | null };

/** When new swaps were not accepted in the last 30 days, newest first, and since when this is recorded. */
export async function getInterruptions(ctx: ExchangeContext): Promise<{ since: Date; interruptions: Interruption[] }> {
  const now = await ctx.clock.now(ctx.db);
  const start = addMs(now, -keptMs);
  const [[first], rows] = await Promise.all([
    ctx.db
      .select({ startedAt: acceptancePeriods.startedAt })
      .from(acceptancePeriods)
      .where(gte(acceptancePeriods.endedAt, start))
      .orderBy(asc(acceptancePeriods.id))
      .limit(1),
    selectInterrupted(ctx.db, { start, now }),
  ]);
  const since = laterOf(first?.startedAt ?? now, start);
  const found = rows.flatMap(({ reason, startedAt, endedAt, nextStartedAt }): Interruption[] => {
    const isLast = nextStartedAt === null;
    const hasGap = (nextStartedAt ?? now).getTime() - endedAt.getTime() >= gapMs;
    const stopped =
      reason === null ? [] : [{ reason, from: laterOf(startedAt, start), to: isLast && !hasGap ? null : endedAt }];
    return hasGap ? [{ reason: "not_running", from: endedAt, to: nextStartedAt }, ...stopped] : stopped;
  });
  const long = found.filter(({ from, to }) => (to ?? now).getTime() - from.getTime() >= shortestMs);
  return { since, interruptions: long.slice(0, most) };
}

/**
 * The newest periods that are long interruptions or are followed by a gap, newest first, each with the start of the
 * next. If the current period is an interruption, it is included: it lasts until now, however short its record is.
 */
export function selectInterrupted(db: Database, { start, now }: { start: Date; now: Date }) {
  const { id, reason, startedAt, endedAt } = acceptancePeriods;
  const toTime = (at: Date) => sql`${sql.param(at, endedAt)}::timestamptz`;
  const toSpan = (ms: number) => sql`make_interval(secs => ${ms / 1_000})`;
  const next = sql<Date | null>`lead(${startedAt}) over (order by ${id})`.mapWith(startedAt).as("next_started_at");
  const periods = db
    .select({ id, reason, startedAt, endedAt, nextStartedAt: next })
    .from(acceptancePeriods)
    .where(gte(endedAt, start))
    .as("periods");
  const isLong = sql`${periods.endedAt} - greatest(${periods.startedAt}, ${toTime(start)}) >= ${toSpan(shortestMs)}`;
  const hasGap = sql`coalesce(${periods.nextStartedAt}, ${toTime(now)}) - ${periods.endedAt} >= ${toSpan(gapMs)}`;
  return db
    .select()
    .from(periods)
    .where(or(hasGap, and(isNotNull(periods.reason), or(isNull(periods.nextStartedAt), isLong))))
    .orderBy(desc(periods.id))
    .limit(most + 1);
}
