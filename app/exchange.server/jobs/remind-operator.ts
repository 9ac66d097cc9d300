import { and, asc, eq, like, lte, min, sql } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../lib/assets";
import { addMs, hourMs, minuteMs } from "../../lib/durations";
import { formatAmount } from "../../lib/money";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { alerts } from "../db/schema/alerts";
import { orders } from "../db/schema/orders";
import { payments } from "../db/schema/payments";
import { switches } from "../db/schema/switches";
import { listOpenRescans } from "../deposits/rescan";
import { checkNodes } from "../operator-advice";

/** Payments are usually off for less time than this, for a withdrawal or a change of the payout key. */
const paymentsOffMs = 30 * minuteMs;
/** Most rescans take less time than this. */
const rescanMs = 30 * minuteMs;
/** How long before a hold ends in a refund. */
const holdEndsMs = 12 * hourMs;

/** Job: reminds an operator of what was stopped by hand and seems to have been forgotten. */
export async function remindOperator(ctx: ExchangeContext): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  await ctx.db.transaction((tx) => remindOfPayments(tx, ctx, at));
  await ctx.db.transaction((tx) => remindOfHolds(tx, ctx, at));
  await ctx.db.transaction((tx) => remindOfRescans(tx, ctx, at));
}

/** Alerts when payments have been off for a long time and some are planned. */
async function remindOfPayments(tx: Database, ctx: ExchangeContext, at: Date): Promise<void> {
  const subject = "payments-off";
  const [off] = await tx
    .select({ since: min(switches.since) })
    .from(switches)
    .where(eq(switches.name, "payments"));
  const since = off?.since ?? null;
  const planned = since !== null && since <= addMs(at, -paymentsOffMs) ? await sumPlanned(tx) : [];
  if (since === null || planned.length === 0) return clearAlert(tx, subject);
  const owed = planned.map(
    ({ asset, count, total }) =>
      `${formatAmount(total, asset)} ${asset} (${count} ${count === 1 ? "payment" : "payments"})`,
  );
  const reason = `Payments have been off since ${since.toISOString()}, and customers are waiting for ${owed.join(" and ")}.`;
  const action = 'Resolve the payment problems that "operate status" lists, then run "operate on payments".';
  await raiseAlert(tx, ctx, { subject, reason, action, at });
}

type Planned = { asset: AssetSymbol; count: number; total: bigint };

async function sumPlanned(tx: Database): Promise<Planned[]> {
  const rows = await tx
    .select({
      asset: payments.asset,
      count: sql<number>`count(*)::int`,
      total: sql<string>`sum(${payments.amount})::text`,
    })
    .from(payments)
    .where(eq(payments.status, "planned"))
    .groupBy(payments.asset);
  return assetSymbols.flatMap((asset) => {
    const row = rows.find((one) => one.asset === asset);
    return row ? [{ asset, count: row.count, total: BigInt(row.total) }] : [];
  });
}

/** Alerts before holds end in refunds. Each alert ends with its hold, or when another `hold` extends it. */
async function remindOfHolds(tx: Database, ctx: ExchangeContext, at: Date): Promise<void> {
  const ending = await tx
    .select({
      id: orders.id,
      accountId: orders.accountId,
      deadline: orders.holdDeadline,
      reason: orders.holdReason,
      problem: orders.holdProblem,
    })
    .from(orders)
    .where(and(eq(orders.status, "on_hold"), lte(orders.holdDeadline, addMs(at, holdEndsMs))))
    .orderBy(asc(orders.holdDeadline));
  const known = await tx.select({ subject: alerts.subject }).from(alerts).where(like(alerts.subject, "hold:%"));
  for (const { subject } of known) {
    if (!ending.some(({ id }) => subject === `hold:${id}`)) await clearAlert(tx, subject);
  }
  for (const { id, accountId, deadline, reason: why, problem } of ending) {
    const reason = `The hold of order ${id} ends in a refund at ${deadline?.toISOString()}: ${why}`;
    // While its owner may not swap, an order can't be released.
    const ends = {
      none: `"operate release ${id}" or "operate refund ${id}"`,
      unverified: `"operate refund ${id}"`,
      blocked: `"operate refund ${id}", or "operate unblock ${accountId}" to release it`,
    };
    const release =
      problem === null
        ? ""
        : " It is then still released automatically once its owner may swap. With another reason, only you can release it.";
    const action = `Run ${ends[problem ?? "none"]}, or "operate hold ${id} REASON" with the same reason to hold it for longer.${release}`;
    await raiseAlert(tx, ctx, { subject: `hold:${id}`, orderId: id, reason, action, at });
  }
}

/** Alerts when a rescan has been running for a long time, because later rescans of its asset wait for it. */
async function remindOfRescans(tx: Database, ctx: ExchangeContext, at: Date): Promise<void> {
  const open = await listOpenRescans(tx);
  for (const asset of assetSymbols) {
    const subject = `rescan:${asset}` as const;
    const oldest = open.find((rescan) => rescan.asset === asset);
    if (oldest === undefined || oldest.requestedAt > addMs(at, -rescanMs)) {
      await clearAlert(tx, subject);
      continue;
    }
    const { fromBlock, toBlock, nextBlock, requestedAt } = oldest;
    const reason = `The rescan of ${asset} blocks ${fromBlock} to ${toBlock}, requested at ${requestedAt.toISOString()}, is not finished: it is at block ${nextBlock}. Later ${asset} rescans are waiting for it.`;
    const action = `Wait while it makes progress. If it is stuck, check why. ${checkNodes(asset)} If it is a mistake, run "operate cancel-rescan ${asset}".`;
    await raiseAlert(tx, ctx, { subject, reason, action, at });
  }
}
