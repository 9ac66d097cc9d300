import { and, asc, desc, eq, gt, isNull, lte, or, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { addMs, earlierOf, minuteMs } from "../../../lib/durations";
import { mapInBatches } from "../../../lib/map-in-batches";
import { formatAmount } from "../../../lib/money";
import { clearAlert } from "../../alerts/alerts";
import type { Holdings } from "../../chains/gateway";
import type { ExchangeContext, RunningContext } from "../../context";
import { type Database, lockFor, queryRows } from "../../db/database";
import { deposits } from "../../db/schema/deposits";
import { orders } from "../../db/schema/orders";
import { consolidations, isOpenConsolidation, isSignedPayment, payments } from "../../db/schema/payments";
import { reserveChecks } from "../../db/schema/reserves";
import { depositIs } from "../../deposits/deposit-state";
import { describeError } from "../../describe-error";
import { findVersion, paymentsPerLookUp, type SignedPayment } from "../find-version";
import { requirePrepared } from "../require-prepared";
import { reportShortage, reportSurplus, reportUnchecked } from "./report-reserves";
import { type Books, compare, type Found, readBooks, sumUncollected, uncheckedSubject } from "./reserve-books";
import { listUncollected, rememberCollected } from "./uncollected";

/** How many deposits are looked up at a time when they may hide a shortage. */
const depositsPerLookUp = 50;

/**
 * Job: compares the books of an asset with our holdings on its chain, both after the same block. If we hold less than
 * the books and all payments on their way can explain, payments stop and an operator is alerted. If we hold more, it
 * only raises an alert, because anyone can send money to our addresses.
 */
export async function checkReserves(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  const isChecked = await compareHoldings(ctx, asset).catch(async (error: unknown) => {
    await reportUnchecked(ctx, asset);
    throw error;
  });
  if (!isChecked) await reportUnchecked(ctx, asset);
}

/** @returns false if the holdings cannot be read yet */
async function compareHoldings(ctx: RunningContext, asset: AssetSymbol): Promise<boolean> {
  const uncollected = await listUncollected(ctx.db, asset);
  const addresses = [...uncollected.keys()];
  const holdings = await ctx.chains[asset].readHoldings(addresses);
  if (!holdings) return false;
  // Read in this order: a payment that is booked in between is counted twice, which hides a shortage only until the
  // next check.
  const signed = await sumSigned(ctx, asset, holdings.height);
  await rememberCollected(ctx, asset, { uncollected, holdings });
  const known: Found = { height: holdings.height, addresses, ...signed, arrived: [] };
  const first = await readBooks(ctx.db, asset, known);
  if (!first.areOpen) return true;
  const { isShort, isAllThere } = compare(first, holdings);
  // We hold what the books say, but not all deposits that are not credited yet, so it matters which of them are there.
  const dependsOnDeposits = !isShort && !isAllThere;
  const found = dependsOnDeposits ? { ...known, arrived: await findArrived(ctx, first, holdings) } : known;
  const books = dependsOnDeposits ? await readBooks(ctx.db, asset, found) : first;
  if (books.wasExplained && compare(books, holdings).isExplained) {
    await storeExplained(ctx, books, holdings);
    return true;
  }
  await ctx.db.transaction(async (tx) => {
    await lockFor(tx, `reserves:${asset}`);
    await storeComparison(tx, ctx, await readBooks(tx, asset, found), holdings);
  });
  return true;
}

/** Stores a comparison that explains everything, unless one that does not was stored in the meantime. */
async function storeExplained(ctx: ExchangeContext, books: Books, holdings: Holdings): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  const columns = toColumns(books, holdings, at);
  const stored = reserveChecks.checkedAt;
  // A stored time in the future is from before the database's clock was corrected (T61).
  const isEarlier = or(lte(stored, at), gt(stored, addMs(at, minuteMs)));
  await ctx.db
    .update(reserveChecks)
    .set(columns)
    .where(
      and(
        eq(reserveChecks.asset, books.asset),
        isNull(reserveChecks.shortSince),
        isNull(reserveChecks.surplusSince),
        isEarlier,
      ),
    );
}

/**
 * The totals of signed payments that are not booked yet, fees included. `onTheWay`: they are in a block. `undecided`:
 * they cannot be looked up, or too few nodes agree on whether they are in a block. Such a payment must not prevent the
 * comparison.
 */
async function sumSigned(
  ctx: RunningContext,
  asset: AssetSymbol,
  height: number,
): Promise<Pick<Found, "onTheWay" | "undecided">> {
  const rows = await queryRows<Omit<SignedPayment, "amount"> & { amount: string; isConsolidation: boolean }>(
    ctx.db,
    sql`select id, asset, nonce, address, amount::text, prepared, superseded, false as "isConsolidation" from ${payments}
         where asset = ${asset} and ${isSignedPayment} and prepared is not null
        union all
        select id, asset, null, '', amount::text, prepared, '[]'::jsonb, true from ${consolidations}
         where asset = ${asset} and ${isOpenConsolidation}`,
  );
  const found = await mapInBatches(rows, paymentsPerLookUp, async (payment) => {
    const amount = BigInt(payment.amount);
    const { version, state } = await findVersion(ctx, { ...payment, amount }).catch((error: unknown) => {
      ctx.log.warn(
        { payment: payment.id, asset, error: describeError(error) },
        "an open payment could not be looked up",
      );
      return { version: requirePrepared(payment), state: { kind: "unknown" } as const };
    });
    // The amount of a consolidation returns to us.
    return { state, taken: BigInt(version.networkFee) + (payment.isConsolidation ? 0n : amount) };
  });
  const sums = { onTheWay: 0n, undecided: 0n };
  for (const { state, taken } of found) {
    if (state.kind === "unknown" || (state.kind === "in_block" && state.disputed)) sums.undecided += taken;
    else if (state.kind === "in_block" && state.blockNumber <= height) sums.onTheWay += taken;
  }
  return sums;
}

/**
 * Looks up the deposits that are not credited yet, the largest first, until those found prove a shortage. If a deposit
 * that only a faulty node reports were counted without a lookup, payments would stop. If deposits were not counted,
 * they would hide that the same amount has left our wallet.
 * @returns the ids of those that are there
 */
async function findArrived(ctx: RunningContext, books: Books, holdings: Holdings): Promise<string[]> {
  const { asset } = books;
  const { height, atAddresses } = holdings;
  const rows = await ctx.db
    .select({ deposit: deposits, address: orders.fundingAddress })
    .from(deposits)
    .innerJoin(orders, eq(orders.id, deposits.orderId))
    .where(and(eq(deposits.asset, asset), depositIs.pending, lte(deposits.blockNumber, height)))
    .orderBy(desc(deposits.amount), asc(deposits.id));
  const pending = rows.flatMap(({ deposit, address }) =>
    asset === "MOB" || atAddresses.has(address) ? [deposit] : [],
  );
  const arrived: string[] = [];
  let sum = 0n;
  for (let start = 0; start < pending.length; start += depositsPerLookUp) {
    const batch = pending.slice(start, start + depositsPerLookUp);
    for (const [index, transfer] of (await ctx.chains[asset].recheck(batch)).entries()) {
      const deposit = batch[index];
      if (!deposit || !transfer || transfer instanceof Error || transfer.disputed || transfer.blockNumber > height)
        continue;
      arrived.push(deposit.id);
      sum += transfer.amount;
    }
    if (compare({ ...books, arrived: sum }, holdings).isShort) break;
  }
  return arrived;
}

/** Stores a comparison and how long money has been missing or in surplus, and raises or clears the alerts about it. */
async function storeComparison(tx: Database, ctx: ExchangeContext, books: Books, holdings: Holdings): Promise<void> {
  const { asset } = books;
  const { shortage, isShort, isAllThere, hasSurplus } = compare(books, holdings);
  const at = await ctx.clock.now(tx);
  const [before] = await tx.select().from(reserveChecks).where(eq(reserveChecks.asset, asset));
  // A time in the future is left over from when the database's clock was ahead (T61), and must not delay a stop.
  const since = (isNow: boolean, begin: Date | null | undefined) => (isNow ? earlierOf(begin ?? null, at) : null);
  const times = {
    shortSince: since(isShort, before?.shortSince),
    unexplainedSince: since(shortage > books.undecided, before?.unexplainedSince),
    surplusSince: since(hasSurplus, before?.surplusSince),
  };
  const columns = { ...toColumns(books, holdings, at), ...times };
  await tx
    .insert(reserveChecks)
    .values({ asset, ...columns })
    .onConflictDoUpdate({ target: reserveChecks.asset, set: columns });
  await clearAlert(tx, uncheckedSubject(asset));
  const where = describeBooks(books, holdings);
  await reportShortage(tx, ctx, asset, {
    amount: shortage,
    where,
    at,
    ...times,
    wasShort: before?.shortSince != null,
    isAllThere,
  });
  await reportSurplus(tx, ctx, asset, {
    where,
    at,
    since: times.surplusSince,
    hadSurplus: before?.surplusSince != null,
  });
}

const toColumns = ({ owed, uncredited }: Books, holdings: Holdings, checkedAt: Date) => ({
  height: holdings.height,
  owed,
  uncredited,
  inWallet: holdings.wallet,
  uncollected: sumUncollected(holdings),
  checkedAt,
});

function describeBooks({ asset, owed, uncredited, arrived }: Books, holdings: Holdings): string {
  const format = (amount: bigint) => formatAmount(amount, asset);
  const { height, wallet } = holdings;
  const atFunding = sumUncollected(holdings);
  const known = arrived === 0n ? `up to ${format(uncredited)}` : format(arrived);
  const waiting = uncredited === 0n ? "" : ` (and ${known} that are not credited yet)`;
  const parts = asset === "MOB" ? "" : ` (${format(wallet)} in the wallet, ${format(atFunding)} at funding addresses)`;
  return `the books say ${format(owed)}${waiting}, but at block ${height} we hold ${format(wallet + atFunding)}${parts}`;
}

/** The last comparison of every asset, for the operator. */
export async function listReserveChecks(db: Database): Promise<(typeof reserveChecks.$inferSelect)[]> {
  return db.select().from(reserveChecks).orderBy(reserveChecks.asset);
}
