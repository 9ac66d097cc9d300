import type { SQLWrapper } from "drizzle-orm";
import type { ExchangeContext, RunningContext } from "../context";
import { whichExist } from "../db/database";
import {
  endUncreditedAlerts,
  reportUncredited,
  selectCreditedSince,
  selectUncredited,
} from "../deposits/report-uncredited";
import { expireOrders, selectUnpaid } from "../orders/due-steps/expire-orders";
import { refundOverdue, selectOverdue } from "../orders/due-steps/refund-overdue";
import { releaseStaleReserves, selectStaleReserves } from "../orders/due-steps/release-stale-reserves";
import {
  holdIneligibleOrders,
  releaseEligibleOrders,
  selectIneligiblePayouts,
  selectReleasable,
} from "../orders/holds/owner-eligibility";
import { planPostponedRefunds, selectPostponedRefunds } from "../orders/payouts-and-refunds/postponed-refunds";
import { expireQuotes, selectOverdueQuotes } from "../pricing/quotes";

/** A step that becomes due for quotes, orders or deposits by itself, not because of a request, deposit or payment. */
type Step = {
  /** Selects the quotes, orders or deposits for which the step is due. */
  select(ctx: ExchangeContext, now: Date): SQLWrapper;
  /** Takes the step for all of these, or for some: the next run handles the rest. */
  take(ctx: RunningContext): Promise<unknown>;
};

/** All steps, in the order in which they are taken. */
const steps: Record<string, Step> = {
  expireQuotes: {
    select: ({ db }, now) => selectOverdueQuotes(db, now),
    take: expireQuotes,
  },
  expireOrders: {
    select: ({ db }) => selectUnpaid(db),
    take: expireOrders,
  },
  refundOverdue: {
    select: ({ db }, now) => selectOverdue(db, now),
    take: refundOverdue,
  },
  planPostponedRefunds: {
    // A refund costs at least what is configured.
    select: ({ db, config }) => selectPostponedRefunds(db, config.refundCost),
    take: planPostponedRefunds,
  },
  releaseStaleReserves: {
    select: ({ db }, now) => selectStaleReserves(db, now),
    take: releaseStaleReserves,
  },
  holdIneligibleOrders: {
    select: ({ db }) => selectIneligiblePayouts(db),
    take: holdIneligibleOrders,
  },
  releaseEligibleOrders: {
    select: ({ db }) => selectReleasable(db),
    take: releaseEligibleOrders,
  },
  reportUncredited: {
    select: ({ db }, now) => selectUncredited(db, now),
    take: reportUncredited,
  },
  endUncreditedAlerts: {
    select: ({ db }) => selectCreditedSince(db),
    take: endUncreditedAlerts,
  },
};

/** Job: takes the steps that are due. A single statement finds out which they are. */
export async function takeDueSteps(ctx: RunningContext): Promise<void> {
  const now = await ctx.clock.now(ctx.db);
  const queries = Object.entries(steps).map(([name, { select }]) => [name, select(ctx, now)] as const);
  const due = await whichExist(ctx.db, Object.fromEntries(queries));
  for (const [name, { take }] of Object.entries(steps)) if (due[name]) await take(ctx);
}
