import { and, asc, desc, eq, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { formatAmount } from "../../lib/money";
import type { Holdings } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import { type Database, lockFor, rowsOf } from "../db/database";
import { deposits } from "../db/schema/deposits";
import { orders } from "../db/schema/orders";
import { reserveChecks } from "../db/schema/reserves";
import { describeError } from "../describe-error";
import { external } from "../ledger/ledger";
import { clearAlert, raiseAlert } from "../switches/alerts";
import { endCause, switchOff } from "../switches/switches";
import { findVersion, type SignedPayment } from "./follow";
import { requirePrepared } from "./require-prepared";
import { isUncollected, listUncollected, rememberCollected } from "./uncollected";

/** A shortage must last this long before payments stop: a node's receipts may lag behind its balances. */
const haltAfterMs = 10_000;
/** Money that arrives is seen by the next scan; what is still unexplained later is reported. */
const reportAfterMs = 120_000;
/** While nothing can be compared, a loss goes unnoticed. Most outages are shorter. */
const uncheckedAfterMs = 600_000;
/** How many deposits are looked up at a time when they may hide a shortage. */
const lookupsAtOnce = 50;

/** What the chain says about the rows of the database. */
type Found = {
  height: number;
  /** The funding addresses whose balances were read. */
  addresses: string[];
  onTheWay: bigint;
  undecided: bigint;
  /** The deposits that are not credited yet and are certainly there. */
  arrived: string[];
};

type Books = {
  asset: AssetSymbol;
  owed: bigint;
  /** The total of open payments for which too few nodes agree on whether a block has them. */
  undecided: bigint;
  uncredited: bigint;
  /** The part of `uncredited` that was found to be there. */
  arrived: bigint;
  missing: bigint;
  /** Whether the opening balance was posted. */
  areOpen: boolean;
  /** Whether the last comparison explained everything, and payments are not stopped because of an earlier one. */
  wasExplained: boolean;
};

/**
 * Job: compares the books of an asset with our holdings on its chain, both after the same block. If we hold less
 * than the books and all payments on their way explain, payments stop and an operator is alerted. If we hold
 * more, it only raises an alert, because anyone can send money to our addresses.
 */
export async function checkReserves(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const uncollected = await listUncollected(ctx.db, asset);
  const addresses = [...uncollected.keys()];
  const holdings = await ctx.chains[asset].readHoldings(addresses).catch(async (error: unknown) => {
    await reportUnchecked(ctx, asset);
    throw error;
  });
  if (!holdings) return reportUnchecked(ctx, asset);
  // Read in this order: a payment that is booked in between counts twice, which only hides a shortage until the next check.
  const open = await sumOpenPayments(ctx, asset, holdings.height);
  const found: Found = { height: holdings.height, addresses, ...open, arrived: [] };
  await rememberCollected(ctx, asset, { uncollected, holdings });
  let books = await readBooks(ctx.db, asset, found);
  if (!books.areOpen) return;
  if (!isShort(books, holdings) && !isAllThere(books, holdings)) {
    found.arrived = await findArrived(ctx, books, holdings);
    books = await readBooks(ctx.db, asset, found);
  }
  if (books.wasExplained && isExplained(books, holdings)) {
    await storeExplained(ctx, books, holdings);
    return;
  }
  await ctx.db.transaction(async (tx) => {
    await lockFor(tx, `reserves:${asset}`);
    await storeComparison(tx, ctx, await readBooks(tx, asset, found), holdings);
  });
}

/** Stores a comparison that explains everything, unless one was stored meanwhile that does not. */
async function storeExplained(ctx: ExchangeContext, books: Books, holdings: Holdings): Promise<void> {
  const columns = toColumns(books, holdings, await ctx.clock.now(ctx.db));
  await ctx.db
    .update(reserveChecks)
    .set(columns)
    .where(
      and(
        eq(reserveChecks.asset, books.asset),
        isNull(reserveChecks.shortSince),
        isNull(reserveChecks.surplusSince),
        lte(reserveChecks.checkedAt, columns.checkedAt),
      ),
    );
}

/**
 * The totals of payments that are not booked yet, fees included: `onTheWay` of those in a block, `undecided` of those for
 * which too few nodes agree on whether a block has them, or which cannot be looked up. One payment must not keep the books
 * from being compared.
 */
async function sumOpenPayments(
  ctx: ExchangeContext,
  asset: AssetSymbol,
  height: number,
): Promise<Pick<Found, "onTheWay" | "undecided">> {
  const open = await rowsOf<Omit<SignedPayment, "amount"> & { amount: string; merges: boolean }>(
    ctx.db,
    sql`select id, asset, nonce, address, amount::text, prepared, superseded, false as merges from payments
         where asset = ${asset} and status in ('prepared', 'sent') and prepared is not null
        union all
        select id, asset, null, '', amount::text, prepared, '[]'::jsonb, true from consolidations
         where asset = ${asset} and status in ('prepared', 'sent')`,
  );
  const sums = { onTheWay: 0n, undecided: 0n };
  for (const payment of open) {
    const amount = BigInt(payment.amount);
    const { version, state } = await findVersion(ctx, { ...payment, amount }).catch((error: unknown) => {
      ctx.log.warn(
        { payment: payment.id, asset, error: describeError(error) },
        "an open payment could not be looked up",
      );
      return { version: requirePrepared(payment), state: { state: "unknown" } as const };
    });
    // What merges our outputs returns to us.
    const taken = BigInt(version.networkFee) + (payment.merges ? 0n : amount);
    if (state.state === "unknown" || (state.state === "in_block" && state.disputed)) sums.undecided += taken;
    else if (state.state === "in_block" && state.blockNumber <= height) sums.onTheWay += taken;
  }
  return sums;
}

/**
 * Looks up the deposits that are not credited yet, the largest first, until those found prove a shortage. If a deposit
 * that only a lying node reports were counted without a look-up, payments would stop; if deposits were not counted,
 * they would hide that the same amount has left our wallet.
 * @returns the ids of those that are there
 */
async function findArrived(ctx: ExchangeContext, books: Books, holdings: Holdings): Promise<string[]> {
  const { asset } = books;
  const { height, atAddresses } = holdings;
  const rows = await ctx.db
    .select({ deposit: deposits, address: orders.fundingAddress })
    .from(deposits)
    .innerJoin(orders, eq(orders.id, deposits.orderId))
    .where(and(eq(deposits.asset, asset), eq(deposits.status, "pending"), lte(deposits.blockNumber, height)))
    .orderBy(desc(deposits.amount), asc(deposits.id));
  const pending = rows.flatMap(({ deposit, address }) =>
    asset === "MOB" || atAddresses.has(address) ? [deposit] : [],
  );
  const arrived: string[] = [];
  let sum = 0n;
  for (let start = 0; start < pending.length; start += lookupsAtOnce) {
    const batch = pending.slice(start, start + lookupsAtOnce);
    for (const [index, transfer] of (await ctx.chains[asset].recheck(batch)).entries()) {
      const deposit = batch[index];
      if (!deposit || !transfer || transfer instanceof Error || transfer.disputed || transfer.blockNumber > height)
        continue;
      arrived.push(deposit.id);
      sum += transfer.amount;
    }
    if (isShort({ ...books, arrived: sum }, holdings)) break;
  }
  return arrived;
}

/** Leaves out later blocks, and addresses whose balances were not read. */
export const selectBooks = (
  asset: AssetSymbol,
  { height, addresses, arrived }: Pick<Found, "height" | "addresses" | "arrived">,
): SQL =>
  sql`select coalesce((select -balance from ledger_accounts where asset = ${asset} and code = ${external}), 0)::text as booked,
          coalesce((select sum(amount) from deposits where asset = ${asset} and status = 'confirmed'
                     and (block_number > ${height} or missing_since is not null)), 0)::text as later,
          ${asset === "MOB" ? sql`0` : sumUnread(asset, { height, addresses })}::text as unread,
          coalesce((select sum(amount) from deposits where asset = ${asset} and status = 'pending'), 0)::text as uncredited,
          coalesce((select sum(amount) from deposits where asset = ${asset} and status = 'pending'
                     and id in (select jsonb_array_elements_text(${JSON.stringify(arrived)}::jsonb))), 0)::text as arrived,
          coalesce((select sum(amount) from payments where asset = ${asset} and status = 'confirmed'
                     and missing_since is not null), 0)::text as missing,
          exists (select from ledger_accounts where asset = ${asset}) as open,
          (select short_since is null and surplus_since is null from reserve_checks where asset = ${asset})
            and not exists (select from switches where off and ends_with = ${toCause(asset)})
            and not exists (select from alerts where subject = ${uncheckedSubject(asset)}) as explained`;

/** Deposits that were recorded and credited while the balances were read, at addresses that nobody had paid before. */
const sumUnread = (asset: AssetSymbol, { height, addresses }: Pick<Found, "height" | "addresses">): SQL =>
  sql`coalesce((select sum(amount) from deposits d
                 where d.asset = ${asset} and d.status = 'confirmed' and ${isUncollected}
                   and d.block_number <= ${height} and d.missing_since is null
                   and (select funding_address from orders o where o.id = d.order_id)
                       not in (select jsonb_array_elements_text(${JSON.stringify(addresses)}::jsonb))), 0)`;

async function readBooks(tx: Database, asset: AssetSymbol, found: Found): Promise<Books> {
  type Sum = "booked" | "later" | "unread" | "uncredited" | "arrived" | "missing";
  type Row = Record<Sum, string> & { open: boolean; explained: boolean | null };
  const [row] = await rowsOf<Row>(tx, selectBooks(asset, found));
  const read = (name: Sum) => BigInt(row?.[name] ?? "0");
  return {
    asset,
    // Credited deposits that a reorg removed are reported on their own.
    owed: read("booked") - read("later") - read("unread") - found.onTheWay,
    undecided: found.undecided,
    uncredited: read("uncredited"),
    // What has been credited since the look-up is owed already.
    arrived: read("arrived"),
    missing: read("missing"),
    areOpen: row?.open === true,
    wasExplained: row?.explained === true,
  };
}

const sumUncollected = ({ atAddresses }: Holdings): bigint =>
  [...atAddresses.values()].reduce((sum, balance) => sum + balance, 0n);
const sumOwned = (holdings: Holdings): bigint => holdings.wallet + sumUncollected(holdings);
const toShortage = ({ owed, arrived }: Books, holdings: Holdings): bigint => owed + arrived - sumOwned(holdings);
const isShort = (books: Books, holdings: Holdings): boolean => toShortage(books, holdings) > 0n;
/** Whether nothing is missing even if every deposit is there that was seen. */
const isAllThere = ({ owed, uncredited }: Books, holdings: Holdings): boolean =>
  sumOwned(holdings) >= owed + uncredited;
const hasSurplus = ({ owed, uncredited, missing }: Books, holdings: Holdings): boolean =>
  sumOwned(holdings) > owed + uncredited + missing;
const isExplained = (books: Books, holdings: Holdings): boolean =>
  !isShort(books, holdings) && !hasSurplus(books, holdings);

const toColumns = ({ owed, uncredited }: Books, holdings: Holdings, checkedAt: Date) => ({
  height: holdings.height,
  owed,
  uncredited,
  inWallet: holdings.wallet,
  uncollected: sumUncollected(holdings),
  checkedAt,
});

/** Stores a comparison and how long money has been missing or left over, and raises or clears the alerts about it. */
async function storeComparison(tx: Database, ctx: ExchangeContext, books: Books, holdings: Holdings): Promise<void> {
  const { asset } = books;
  const at = await ctx.clock.now(tx);
  const [before] = await tx.select().from(reserveChecks).where(eq(reserveChecks.asset, asset));
  const since = (isNow: boolean, begin: Date | null | undefined) => (isNow ? (begin ?? at) : null);
  const times = {
    shortSince: since(isShort(books, holdings), before?.shortSince),
    unexplainedSince: since(toShortage(books, holdings) > books.undecided, before?.unexplainedSince),
    surplusSince: since(hasSurplus(books, holdings), before?.surplusSince),
  };
  const columns = { ...toColumns(books, holdings, at), ...times };
  await tx
    .insert(reserveChecks)
    .values({ asset, ...columns })
    .onConflictDoUpdate({ target: reserveChecks.asset, set: columns });
  await clearAlert(tx, uncheckedSubject(asset));
  const where = toSentence(books, holdings);
  await reportShortage(tx, ctx, asset, {
    amount: toShortage(books, holdings),
    where,
    at,
    ...times,
    wasShort: before?.shortSince != null,
    isAllThere: isAllThere(books, holdings),
  });
  await reportSurplus(tx, ctx, asset, {
    where,
    at,
    since: times.surplusSince,
    hadSurplus: before?.surplusSince != null,
  });
}

const uncheckedSubject = (asset: AssetSymbol): string => `unchecked:${asset}`;

/** Alerts an operator if what we hold could not be read for long. The alert ends with the next comparison. */
async function reportUnchecked(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  const [last] = await ctx.db.select().from(reserveChecks).where(eq(reserveChecks.asset, asset));
  if (!last || at.getTime() - last.checkedAt.getTime() < uncheckedAfterMs) return;
  const reason = `Our ${asset} holdings have not been compared with the books since ${last.checkedAt.toISOString()}: the nodes or the wallet are out of reach, not in sync, or do not agree. Money that has left since then would go unnoticed. We keep trying.`;
  await raiseAlert(ctx.db, ctx, { subject: uncheckedSubject(asset), orderId: null, reason, at, retryAt: null });
}

const lasts = (since: Date | null, at: Date, ms: number): boolean =>
  since !== null && at.getTime() - since.getTime() >= ms;

/** The subject of the alert about a shortage, and the cause of a stop that ends with it. */
const toCause = (asset: AssetSymbol): string => `reserves:${asset}`;

type Shortage = {
  amount: bigint;
  where: string;
  at: Date;
  shortSince: Date | null;
  unexplainedSince: Date | null;
  /** Whether the last check found one, so that there may be an alert to clear. */
  wasShort: boolean;
  isAllThere: boolean;
};

/**
 * Stops payments for a shortage that lasts. If open payments of ours may have taken what is missing, because too few
 * nodes say whether a block has them, payments start again once everything is there. They still stop at first: a node
 * that claims such a payment could hide that someone else has taken the money.
 */
async function reportShortage(
  tx: Database,
  ctx: ExchangeContext,
  asset: AssetSymbol,
  { amount, where, at, shortSince, unexplainedSince, wasShort, isAllThere }: Shortage,
): Promise<void> {
  const subject = toCause(asset);
  if (shortSince === null) {
    if (wasShort) await clearAlert(tx, subject);
    if (isAllThere && (await endCause(tx, subject, at)))
      ctx.log.info({ asset }, "nothing is missing: payments continue");
    return;
  }
  if (!lasts(shortSince, at, haltAfterMs)) return;
  const missing = `${formatAmount(amount, asset)} ${asset} are missing`;
  const mayBePaid = !lasts(unexplainedSince, at, haltAfterMs);
  const reason = mayBePaid
    ? `${missing}, unless our own payments have taken them, which too few nodes confirm: ${where}. Payments continue automatically once nothing is missing.`
    : `${missing}: ${where}.`;
  await raiseAlert(tx, ctx, { subject, orderId: null, reason, at, retryAt: null });
  await switchOff(tx, "payments", { reason, at, endsWith: mayBePaid ? subject : null });
}

async function reportSurplus(
  tx: Database,
  ctx: ExchangeContext,
  asset: AssetSymbol,
  { where, at, since, hadSurplus }: { where: string; at: Date; since: Date | null; hadSurplus: boolean },
): Promise<void> {
  const subject = `surplus:${asset}`;
  if (since === null) {
    if (hadSurplus) await clearAlert(tx, subject);
  } else if (lasts(since, at, reportAfterMs)) {
    const reason = `There is more ${asset} than in the books: ${where}. If you added the difference, book it with "operate float".`;
    await raiseAlert(tx, ctx, { subject, orderId: null, reason, at, retryAt: null });
  }
}

function toSentence({ asset, owed, uncredited, arrived }: Books, holdings: Holdings): string {
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
