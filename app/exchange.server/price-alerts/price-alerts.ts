import { and, desc, eq, gt, inArray, lt, or } from "drizzle-orm";
import type { PriceAlert, PriceAlertRequest } from "../../api/contract";
import { dayMs } from "../../lib/durations";
import { formatDecimal, parseDecimal, RATE_DECIMALS } from "../../lib/money";
import { type Caller, requireVerifiedEmail } from "../accounts/caller";
import { requireOpenSession } from "../accounts/require-open-session";
import type { ExchangeContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { priceAlerts } from "../db/schema/price-alerts";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import { consumeEventLimits, toRetryAfterSeconds } from "../limits/event-limits";
import { priceAlertMail } from "../mail/messages/account";
import { queueMail } from "../mail/queue-mail";
import { getLatestRate, isRecent, rateCause } from "../pricing/rates";
import { hasBrowsers, queuePush, toPriceMessage } from "../push/queue-push";
import { listCauses } from "../switches/switches";

type PriceAlertRow = typeof priceAlerts.$inferSelect;

const maxPerAccount = 10;
/** Each alert causes an e-mail, and the price can reach any number of alerts in a day. */
const maxPerDay = 50;
const batchSize = 100;
const batchesPerRun = 5;

/** An account's price alerts, newest first. There are at most ten. */
export async function listPriceAlerts(db: Database, accountId: string): Promise<PriceAlertRow[]> {
  return db
    .select()
    .from(priceAlerts)
    .where(eq(priceAlerts.accountId, accountId))
    .orderBy(desc(priceAlerts.createdAt), desc(priceAlerts.id));
}

/**
 * Stores a price alert. The same alert again returns the existing one.
 * @throws email_unproven, invalid if the price is already reached, too_many_alerts, rate_limited, token_expired if the
 * session has ended
 */
export async function addPriceAlert(
  ctx: ExchangeContext,
  caller: Caller,
  { direction, rate: text }: PriceAlertRequest,
): Promise<{ row: PriceAlertRow; created: boolean }> {
  requireVerifiedEmail(caller);
  const rate = parseDecimal(text, RATE_DECIMALS);
  const { accountId } = caller;
  return ctx.db.transaction(async (tx) => {
    // One addition per account at a time, so that parallel calls cannot exceed the limit (T83).
    await lockFor(tx, `price_alerts:${accountId}`);
    await requireOpenSession(tx, caller);
    const alerts = await listPriceAlerts(tx, accountId);
    const same = alerts.find((alert) => alert.direction === direction && alert.rate === rate);
    if (same) return { row: same, created: false };
    if (alerts.length >= maxPerAccount) throw new ExchangeError("too_many_alerts");
    const now = await ctx.clock.now(tx);
    const latest = await getLatestRate(tx);
    const isThere = latest && isRecent(ctx, latest, now) && isReached({ direction, rate }, latest.rate);
    if (isThere) {
      const message = `1 MOB already costs ${direction === "above" ? "more" : "less"} than this.`;
      throw new ExchangeError("invalid", { message, fields: { rate: message } });
    }
    const ofDay = { key: `price-alerts:${accountId}`, windows: [{ max: maxPerDay, ms: dayMs }] };
    if (!(await consumeEventLimits(tx, [ofDay], now))) {
      const message = `You have set ${maxPerDay} price alerts in a day. Try again tomorrow.`;
      const retryAfterSeconds = await toRetryAfterSeconds(tx, [ofDay], now);
      throw new ExchangeError("rate_limited", { message, retryAfterSeconds });
    }
    const row = { id: newId(), accountId, direction, rate, createdAt: now };
    await tx.insert(priceAlerts).values(row);
    return { row, created: true };
  });
}

/** @throws not_found */
export async function removePriceAlert(ctx: ExchangeContext, accountId: string, id: string): Promise<void> {
  const removed = await ctx.db
    .delete(priceAlerts)
    .where(and(eq(priceAlerts.id, id), eq(priceAlerts.accountId, accountId)))
    .returning({ id: priceAlerts.id });
  if (removed.length === 0) throw new ExchangeError("not_found");
}

/** Whether the current rate has reached an alert. */
export async function hasDuePriceAlerts(ctx: ExchangeContext): Promise<boolean> {
  const rate = await getCurrentRate(ctx);
  if (rate === null) return false;
  const due = await ctx.db.select({ id: priceAlerts.id }).from(priceAlerts).where(isDue(rate)).limit(1);
  return due.length > 0;
}

/**
 * Job, after each new rate: queues one e-mail and a notification for every alert that the rate has reached, and deletes
 * the alert in the same transaction, so that it is queued exactly once. Blocked accounts get no alerts. If many are
 * due, later runs send the rest.
 */
export async function sendPriceAlerts(ctx: ExchangeContext): Promise<void> {
  for (let batch = 0; batch < batchesPerRun; batch += 1) {
    // If the rate changes between batches, it may no longer reach the other alerts.
    const rate = await getCurrentRate(ctx);
    if (rate === null || (await sendBatch(ctx, rate)) < batchSize) return;
  }
}

/** The latest rate, unless it is too old, or has stopped swaps because it has jumped and may be wrong. */
async function getCurrentRate(ctx: ExchangeContext): Promise<bigint | null> {
  if ((await listCauses(ctx.db, "swaps")).some(({ cause }) => cause === rateCause)) return null;
  const latest = await getLatestRate(ctx.db);
  return latest && isRecent(ctx, latest, await ctx.clock.now(ctx.db)) ? latest.rate : null;
}

const isDue = (current: bigint) =>
  or(
    and(eq(priceAlerts.direction, "above"), lt(priceAlerts.rate, current)),
    and(eq(priceAlerts.direction, "below"), gt(priceAlerts.rate, current)),
  );

/** @returns how many alerts it has deleted */
async function sendBatch(ctx: ExchangeContext, current: bigint): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    const due = await tx
      .select({
        alert: priceAlerts,
        email: accounts.email,
        blockedAt: accounts.blockedAt,
        hasBrowsers,
      })
      .from(priceAlerts)
      .innerJoin(accounts, eq(accounts.id, priceAlerts.accountId))
      .where(isDue(current))
      .limit(batchSize)
      .for("update", { of: priceAlerts, skipLocked: true });
    if (due.length === 0) return 0;
    await tx.delete(priceAlerts).where(
      inArray(
        priceAlerts.id,
        due.map(({ alert }) => alert.id),
      ),
    );
    const now = await ctx.clock.now(tx);
    for (const { alert, email, blockedAt, ...account } of due) {
      if (blockedAt !== null) continue;
      const mail = priceAlertMail(email, {
        direction: alert.direction,
        rate: toText(alert.rate),
        price: toText(current),
        at: now,
      });
      await queueMail(tx, ctx, mail, { now });
      if (account.hasBrowsers)
        await queuePush(tx, alert.accountId, toPriceMessage(alert.direction, toText(alert.rate)), now);
    }
    return due.length;
  });
}

function isReached({ direction, rate }: Pick<PriceAlertRow, "direction" | "rate">, current: bigint): boolean {
  return direction === "above" ? current > rate : current < rate;
}

const toText = (rate: bigint) => formatDecimal(rate, RATE_DECIMALS);

/** An alert as the API returns it. */
export function toPriceAlert({ id, direction, rate, createdAt }: PriceAlertRow): PriceAlert {
  return { id, direction, rate: toText(rate), created_at: createdAt.toISOString() };
}
