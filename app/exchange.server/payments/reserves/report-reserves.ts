import { and, eq } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { minuteMs } from "../../../lib/durations";
import { formatAmount } from "../../../lib/money";
import { clearAlert, raiseAlert } from "../../alerts/alerts";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { reserveChecks } from "../../db/schema/reserves";
import { bookLargeLoss, checkNodes } from "../../operator-advice";
import { endCauses, switchOff } from "../../switches/switches";
import { toUndecidedCause, uncheckedSubject } from "./reserve-books";

/** A shortage must last this long before payments stop: a node's receipts may lag behind its balances. */
const stopAfterMs = 10_000;
/** The next scan finds money that has arrived. A surplus that is still unexplained after this time is reported. */
const reportAfterMs = 2 * minuteMs;
/** While nothing can be compared, a loss goes unnoticed. Most outages are shorter. */
const uncheckedAfterMs = 10 * minuteMs;

/** Alerts an operator if our holdings could not be read for a long time. The alert ends with the next comparison. */
export async function reportUnchecked(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  const [last] = await ctx.db.select().from(reserveChecks).where(eq(reserveChecks.asset, asset));
  if (last && last.checkedAt > at) {
    // It is left over from when the database's clock was ahead (T61), so the wait begins now.
    const isSame = and(eq(reserveChecks.asset, asset), eq(reserveChecks.checkedAt, last.checkedAt));
    await ctx.db.update(reserveChecks).set({ checkedAt: at }).where(isSame);
    return;
  }
  if (!last || at.getTime() - last.checkedAt.getTime() < uncheckedAfterMs) return;
  const reason = `Our ${asset} holdings have not been compared with the books since ${last.checkedAt.toISOString()}: the nodes or the wallet cannot be reached, are not in sync, or do not agree. Money that has left since then would go unnoticed. We keep trying.`;
  await raiseAlert(ctx.db, ctx, { subject: uncheckedSubject(asset), reason, action: checkNodes(asset), at });
}

const lasts = (since: Date | null, at: Date, ms: number): boolean =>
  since !== null && at.getTime() - since.getTime() >= ms;

type Shortage = {
  amount: bigint;
  where: string;
  at: Date;
  shortSince: Date | null;
  unexplainedSince: Date | null;
  /** Whether the last check found a shortage, so that there may be an alert to clear. */
  wasShort: boolean;
  isAllThere: boolean;
};

/**
 * Stops payments for a shortage that lasts. If our own open payments may have taken what is missing, because too few
 * nodes say whether they are in a block, payments start again once everything is there. They have to stop first,
 * because a node that wrongly reports such a payment as made could hide that someone else has taken the money.
 */
export async function reportShortage(
  tx: Database,
  ctx: ExchangeContext,
  asset: AssetSymbol,
  { amount, where, at, shortSince, unexplainedSince, wasShort, isAllThere }: Shortage,
): Promise<void> {
  const subject = `reserves:${asset}` as const;
  const undecided = toUndecidedCause(asset);
  if (shortSince === null) {
    if (wasShort) await clearAlert(tx, subject);
    if (isAllThere && (await endCauses(tx, "payments", [undecided])).length > 0)
      ctx.log.info({ asset }, "nothing is missing: payments continue unless they are off for another reason");
    return;
  }
  if (!lasts(shortSince, at, stopAfterMs)) return;
  const missing = `${formatAmount(amount, asset)} ${asset} is missing`;
  const mayBePaid = !lasts(unexplainedSince, at, stopAfterMs);
  const reason = mayBePaid
    ? `${missing}, unless our own payments have taken it, which too few nodes confirm: ${where}. This stop ends automatically once nothing is missing.`
    : `${missing}: ${where}.`;
  const action = mayBePaid
    ? checkNodes(asset)
    : `Deal with the alerts about unknown payments first. If something is still missing, find out where it is: see "operate reserves". If you took it, book it with "operate float ${asset} -AMOUNT". If no operator did, the key may have leaked: stop every process, and move what is left to a new wallet (docs/operating.md). Once you know where the money went, and not before, book the loss in the same way, and run "operate on payments". ${bookLargeLoss}`;
  await raiseAlert(tx, ctx, { subject, reason, action, at });
  if (!mayBePaid) await endCauses(tx, "payments", [undecided]);
  await switchOff(tx, "payments", { cause: mayBePaid ? undecided : subject, reason, at });
}

export async function reportSurplus(
  tx: Database,
  ctx: ExchangeContext,
  asset: AssetSymbol,
  { where, at, since, hadSurplus }: { where: string; at: Date; since: Date | null; hadSurplus: boolean },
): Promise<void> {
  const subject = `surplus:${asset}` as const;
  if (since === null) {
    if (hadSurplus) await clearAlert(tx, subject);
  } else if (lasts(since, at, reportAfterMs)) {
    const reason = `We hold more ${asset} than the books say: ${where}.`;
    const action =
      'If you added the difference, book it with "operate float". If not, find out whose it is first: it may be a deposit for an order that is missing from this database (if that order was paid out or refunded, book it with "operate float"), a withdrawal that is booked but not sent yet, or a payment that was marked as paid but not made.';
    await raiseAlert(tx, ctx, { subject, reason, action, at });
  }
}
