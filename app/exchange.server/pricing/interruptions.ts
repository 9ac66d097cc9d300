import { asc, desc, eq, gte, lt } from "drizzle-orm";
import { dayMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import { lockFor } from "../db/database";
import { acceptancePeriods } from "../db/schema/acceptance";
import { getMarket } from "./market";
import { reportOutage } from "./outage";
import { getClosedReason } from "./swap-acceptance";

const keptMs = 30 * dayMs;
/** If there is no record for this long, the exchange was not running. */
const gapMs = 60_000;
/** While nothing changes, the current period is extended this often. The job runs every five seconds. */
const extendAfterMs = 20_000;
/** Shorter interruptions are left out: a restart, or a node that missed a call. */
const shortestMs = 60_000;
const most = 100;

/** What this process has recorded last. */
const recorded = new WeakMap<ExchangeContext, { reason: string | null; at: Date }>();

/**
 * Job: records whether new swaps are accepted, deletes records that are older than 30 days, and alerts an operator to
 * a long outage.
 */
export async function recordAcceptance(ctx: ExchangeContext): Promise<void> {
  const market = await getMarket(ctx);
  const known = recorded.get(ctx);
  const at = await ctx.clock.now(ctx.db);
  const isKnown = known !== undefined && known.reason === getClosedReason(ctx, market, at);
  if (isKnown && at.getTime() - known.at.getTime() < extendAfterMs) return;
  const record = await ctx.db.transaction(async (tx) => {
    // Of several processes, one extends the current period or starts the next.
    await lockFor(tx, "acceptance");
    const now = await ctx.clock.now(tx);
    const reason = getClosedReason(ctx, market, now);
    const [last] = await tx.select().from(acceptancePeriods).orderBy(desc(acceptancePeriods.id)).limit(1);
    const isContinued = last !== undefined && now.getTime() - last.endedAt.getTime() < gapMs;
    if (isContinued && last.endedAt < now) {
      await tx.update(acceptancePeriods).set({ endedAt: now }).where(eq(acceptancePeriods.id, last.id));
    }
    if (!isContinued || last.reason !== reason) {
      await tx.insert(acceptancePeriods).values({ reason, startedAt: now, endedAt: now });
      await tx.delete(acceptancePeriods).where(lt(acceptancePeriods.endedAt, new Date(now.getTime() - keptMs)));
    }
    await reportOutage(tx, ctx, market, now);
    return { reason, at: now };
  });
  recorded.set(ctx, record);
}

/** `to` is null while it lasts. */
type Interruption = { reason: string; from: Date; to: Date | null };

/** When new swaps were not accepted in the last 30 days, newest first, and since when this is recorded. */
export async function getInterruptions(ctx: ExchangeContext): Promise<{ since: Date; interruptions: Interruption[] }> {
  const now = await ctx.clock.now(ctx.db);
  const start = new Date(now.getTime() - keptMs);
  const periods = await ctx.db
    .select()
    .from(acceptancePeriods)
    .where(gte(acceptancePeriods.endedAt, start))
    .orderBy(asc(acceptancePeriods.id));
  const since = laterOf(periods[0]?.startedAt ?? now, start);
  const found = periods.flatMap(({ reason, startedAt, endedAt }, at): Interruption[] => {
    const next = periods[at + 1];
    const isLast = next === undefined;
    const hasGap = (next?.startedAt ?? now).getTime() - endedAt.getTime() >= gapMs;
    const stopped =
      reason === null ? [] : [{ reason, from: laterOf(startedAt, start), to: isLast && !hasGap ? null : endedAt }];
    return hasGap ? [...stopped, { reason: "not_running", from: endedAt, to: next?.startedAt ?? null }] : stopped;
  });
  const long = found.filter(({ from, to }) => (to ?? now).getTime() - from.getTime() >= shortestMs);
  return { since, interruptions: long.reverse().slice(0, most) };
}

function laterOf(a: Date, b: Date): Date {
  return a > b ? a : b;
}
