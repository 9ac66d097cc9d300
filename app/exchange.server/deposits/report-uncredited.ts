import { and, eq, like, lte, notExists, sql } from "drizzle-orm";
import { addMs, minuteMs } from "../../lib/durations";
import { formatAmount } from "../../lib/money";
import { raiseAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { alerts } from "../db/schema/alerts";
import { deposits } from "../db/schema/deposits";
import { checkNodes } from "../operator-advice";

/** How long an uncredited deposit may stay unchanged before an alert. Ethereum blocks become final sooner. */
const alertAfterMs = 30 * minuteMs;

const prefix = "uncredited:" as const;

/** Selects the orders with deposits that have waited for a long time, with their sum. */
export const selectUncredited = (db: Database, now: Date) =>
  db
    .select({
      orderId: deposits.orderId,
      asset: deposits.asset,
      amount: sql<bigint>`sum(${deposits.amount})`.mapWith(BigInt),
    })
    .from(deposits)
    .where(and(eq(deposits.status, "pending"), lte(deposits.updatedAt, addMs(now, -alertAfterMs))))
    .groupBy(deposits.orderId, deposits.asset);

/** Selects the alerts of orders whose deposits no longer wait. */
export const selectCreditedSince = (db: Database) =>
  db
    .select({ subject: alerts.subject })
    .from(alerts)
    .where(and(like(alerts.subject, `${prefix}%`), isCredited(db)));

const isCredited = (db: Database) =>
  notExists(
    db
      .select({ one: sql`1` })
      .from(deposits)
      .where(and(eq(deposits.orderId, alerts.orderId), eq(deposits.status, "pending"))),
  );

/**
 * Alerts an operator to deposits that were seen long ago and are still not credited: too few nodes agree on them, the
 * nodes cannot look them up, or their blocks do not become final.
 */
export async function reportUncredited(ctx: ExchangeContext): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  for (const { orderId, asset, amount } of await selectUncredited(ctx.db, at)) {
    const reason = `Deposits of ${formatAmount(amount, asset)} ${asset} were seen and cannot be credited: too few nodes agree on them, or their blocks do not become final. We keep trying.`;
    await raiseAlert(ctx.db, ctx, { subject: `${prefix}${orderId}`, orderId, reason, action: checkNodes(asset), at });
  }
}

/** Ends the alerts about orders whose deposits no longer wait. */
export async function endUncreditedAlerts({ db }: ExchangeContext): Promise<void> {
  await db.delete(alerts).where(and(like(alerts.subject, `${prefix}%`), isCredited(db)));
}
