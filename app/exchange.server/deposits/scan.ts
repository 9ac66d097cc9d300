import { isDeepStrictEqual } from "node:util";
import { and, eq, exists, gt, gte, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { openStatuses } from "../../lib/order-states";
import type { ChainTransfer, ScanCursor, ScanResult } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { chainStates, rescans } from "../db/schema/chains";
import { deposits } from "../db/schema/deposits";
import { orders } from "../db/schema/orders";
import { describeError } from "../describe-error";
import { recheckDeposits } from "../orders/recheck-deposits";
import { applyTransfers, dropDeposit } from "./apply-transfers";
import { type ChainState, getChainState, saveChainState } from "./chain-state";
import { matchFundingAddresses } from "./match-addresses";
import { continueRescans } from "./rescan";

/** After a longer gap between two scans, a new deposit is dated to the scan before the gap. */
const gapMs = 60_000;
/** Transfers that one transaction applies. */
const maxBatch = 50;
/** Block ranges per run of the job; the next run continues. */
const maxSteps = 50;
/** How often scans are stored while a chain is quiet. An order may expire that much later. */
const storeQuietMs = 5_000;

/** What the last scan in this process found. `quiet` is the stored state, or null if something has happened since. */
type Known = { isFollowed: boolean; quiet: ChainState | null };
const known = new WeakMap<ExchangeContext, Partial<Record<AssetSymbol, Known>>>();
const getKnown = (ctx: ExchangeContext, asset: AssetSymbol) => known.get(ctx)?.[asset];
const setKnown = (ctx: ExchangeContext, asset: AssetSymbol, value: Known) =>
  known.set(ctx, { ...known.get(ctx), [asset]: value });

/**
 * Scans a chain from its stored cursor and applies the transfers found. Safe to run
 * concurrently and to be killed at any point: transfers and cursor are stored in one
 * transaction, under a lock per chain, and a run that started from an outdated cursor
 * stores nothing.
 *
 * Scanning from an older cursor finds the same transfers again. So while a chain is quiet, the database is read only
 * every five seconds.
 */
export async function scanChain(ctx: ExchangeContext, asset: AssetSymbol): Promise<void> {
  try {
    if (await isStillQuiet(ctx, asset)) return;
    for (let step = 0; step < maxSteps; step += 1) {
      const [start] = await selectScanState(ctx.db, asset);
      const before = start?.state;
      setKnown(ctx, asset, { isFollowed: true, quiet: null });
      const { result, startedAt } = await scanFrom(ctx, asset, before);
      const isInSync = result.caughtUp && result.scannedThrough !== null;
      const isFollowed = !isInSync || !start || start.hasOpenOrders || start.hasOpenDeposits || start.hasRescan;
      if (start?.hasOpenDeposits) await recheckFinal(ctx, asset, before?.finalizedHeight ?? -1, result);
      if (before && !start?.hasRescan && !start?.hasOpenDeposits && isQuiet(before, result)) {
        const quiet = await storeQuietScan(ctx, asset, before, { result, now: startedAt });
        setKnown(ctx, asset, { isFollowed, quiet });
        return;
      }
      setKnown(ctx, asset, { isFollowed, quiet: null });
      const isUnchanged = before !== undefined && isSame(before, result, startedAt);
      if (!isUnchanged && (await storeScan(ctx, asset, before, result)) && !result.caughtUp) continue;
      if (!isUnchanged) await recheckUnseen(ctx, asset, result, before?.finalizedHeight ?? null);
      if (start?.hasRescan) {
        await continueRescans(ctx, asset).catch((error: unknown) =>
          ctx.log.warn({ asset, error: describeError(error) }, "a range of blocks could not be read again"),
        );
      }
      return;
    }
  } catch (error) {
    // Only the message: a single failed scan is no outage, which is judged by the age of `checkedAt`.
    const lastError = error instanceof Error ? error.message.slice(0, 500) : "unknown";
    await saveChainState(ctx.db, asset, { lastError });
    throw error;
  }
}

async function scanFrom(ctx: ExchangeContext, asset: AssetSymbol, state: ChainState | undefined) {
  const cursor = (state?.cursor ?? null) as ScanCursor | null;
  const startedAt = await ctx.clock.now(ctx.db);
  const match = (addresses: string[]) => matchFundingAddresses(ctx, asset, addresses);
  return { result: await ctx.chains[asset].scan(cursor, match, startedAt), startedAt };
}

/**
 * Looks up the credited deposits whose blocks have become final since the last scan: a reorg may have removed them in
 * the meantime. After that, deposits in final blocks are looked up again only if this one failed.
 */
async function recheckFinal(
  ctx: ExchangeContext,
  asset: AssetSymbol,
  finalBefore: number,
  { finalizedHeight, transfers }: ScanResult,
): Promise<void> {
  if (finalizedHeight === null) return;
  const becameFinal = and(
    eq(deposits.asset, asset),
    eq(deposits.status, "confirmed"),
    gt(deposits.blockNumber, finalBefore),
    lte(deposits.blockNumber, finalizedHeight),
  );
  const failed = await recheckCredited(ctx, await selectDeposits(ctx.db, becameFinal), transfers);
  if (failed.length === 0) return;
  const now = await ctx.clock.now(ctx.db);
  await ctx.db
    .update(deposits)
    .set({ recheckSince: now })
    .where(and(becameFinal, inArray(deposits.orderId, failed), isNull(deposits.recheckSince)));
}

/**
 * Whether the last scan found anything that depends on new blocks: a node that is behind, an unfinished order, or a
 * deposit or a range of blocks to check again. Late deposits can wait a few seconds.
 */
export function isFollowed(ctx: ExchangeContext, asset: AssetSymbol): boolean {
  return getKnown(ctx, asset)?.isFollowed ?? true;
}

/** Whether the chain is still quiet since the scan that this process stored a moment ago. */
async function isStillQuiet(ctx: ExchangeContext, asset: AssetSymbol): Promise<boolean> {
  const { isFollowed, quiet } = getKnown(ctx, asset) ?? {};
  // While no swap is open, every scan checks the database for new orders.
  if (!isFollowed || !quiet || !isRecent(quiet, await ctx.clock.now(ctx.db))) return false;
  const { result } = await scanFrom(ctx, asset, quiet);
  return isQuiet(quiet, result);
}

/** Whether a scan found nothing new except blocks. */
function isQuiet(before: ChainState, result: ScanResult): boolean {
  return (
    result.caughtUp &&
    result.transfers.length === 0 &&
    before.cursor !== null &&
    before.synced === (result.scannedThrough !== null) &&
    before.lastError === null
  );
}

const isRecent = ({ checkedAt }: ChainState, now: Date): boolean =>
  checkedAt !== null && now.getTime() - checkedAt.getTime() < storeQuietMs;

/**
 * Stores a quiet scan in one statement, unless one was stored a moment ago or the cursor has moved since `before`.
 * @returns the stored state, or null if the cursor has moved
 */
async function storeQuietScan(
  ctx: ExchangeContext,
  asset: AssetSymbol,
  before: ChainState,
  { result, now }: { result: ScanResult; now: Date },
): Promise<ChainState | null> {
  if (isRecent(before, now)) return before;
  const { cursor, scannedThrough, finalizedHeight } = result;
  const [stored] = await ctx.db
    .update(chainStates)
    .set({
      cursor,
      height: cursor.height,
      checkedAt: now,
      ...(finalizedHeight !== null && { finalizedHeight }),
      ...(scannedThrough && { scannedThrough }),
    })
    .where(and(eq(chainStates.asset, asset), eq(chainStates.cursor, before.cursor)))
    .returning();
  return stored ?? null;
}

/**
 * Applies the transfers of a scan and stores its cursor with the last of them. Many transfers are
 * applied in several transactions, so that none holds the locks of many orders for long; a run that
 * dies in between is repeated from the old cursor, which changes nothing about what
 * is stored. False if another run has moved the cursor since `before`.
 */
async function storeScan(
  ctx: ExchangeContext,
  asset: AssetSymbol,
  before: ChainState | undefined,
  { transfers, cursor, scannedThrough, finalizedHeight }: ScanResult,
): Promise<boolean> {
  /** Runs `store` after these transfers, unless the cursor has moved. */
  const apply = (batch: ChainTransfer[], store: (tx: Database, now: Date) => Promise<void>) =>
    ctx.db.transaction(async (tx) => {
      await lockFor(tx, `scan:${asset}`);
      const current = await getChainState(tx, asset);
      if (JSON.stringify(current?.cursor ?? null) !== JSON.stringify(before?.cursor ?? null)) return false;
      const now = await ctx.clock.now(tx);
      if (finalizedHeight !== null) await saveChainState(tx, asset, { finalizedHeight });
      const seenAt = toSeenAt(before?.scannedThrough ?? null, now);
      await applyTransfers(tx, ctx, { asset, transfers: batch, seenAt });
      await store(tx, now);
      return true;
    });
  const last = Math.floor(Math.max(0, transfers.length - 1) / maxBatch) * maxBatch;
  for (let from = 0; from < last; from += maxBatch) {
    if (!(await apply(transfers.slice(from, from + maxBatch), async () => undefined))) return false;
  }
  return apply(transfers.slice(last), (tx, now) =>
    saveChainState(tx, asset, {
      cursor,
      height: cursor.height,
      synced: scannedThrough !== null,
      checkedAt: now,
      lastError: null,
      // Keep the last known time while the node is out of sync.
      ...(scannedThrough && { scannedThrough }),
    }),
  );
}

/**
 * The time of a new deposit on a chain without block times: now. After a gap it may have
 * arrived at any time since the previous scan, so that scan's time is used: customers must
 * not lose their rate because the exchange was down.
 */
function toSeenAt(previousScan: Date | null, now: Date): Date {
  return previousScan && now.getTime() - previousScan.getTime() > gapMs ? previousScan : now;
}

/** Selects what a scan starts from: the chain's state, and whether anything depends on its next blocks. */
export function selectScanState(db: Database, asset: AssetSymbol) {
  const where = (status: "pending" | "confirmed") => and(eq(deposits.asset, asset), eq(deposits.status, status));
  const anyWith = (condition: SQL | undefined) => exists(db.select({ one: sql`1` }).from(deposits).where(condition));
  const pending = anyWith(where("pending"));
  const missing = anyWith(and(eq(deposits.asset, asset), isNotNull(deposits.missingSince)));
  const toRecheck = anyWith(and(eq(deposits.asset, asset), isNotNull(deposits.recheckSince)));
  // Read from the end of an index. Asking whether any deposit is later would read every confirmed deposit.
  const newest = db
    .select({ blockNumber: sql`max(${deposits.blockNumber})` })
    .from(deposits)
    .where(where("confirmed"));
  const openRescans = db
    .select({ one: sql`1` })
    .from(rescans)
    .where(and(eq(rescans.asset, asset), isNull(rescans.finishedAt)));
  const openOrders = db.select({ one: sql`1` }).from(orders).where(inArray(orders.status, openStatuses));
  return db
    .select({
      state: chainStates,
      hasRescan: sql<boolean>`${exists(openRescans)}`,
      // Deposits that new blocks may confirm or a reorganisation may remove. While no block is known to be final, any
      // confirmed deposit is one.
      hasOpenDeposits: sql<boolean>`${pending} or ${missing} or ${toRecheck} or coalesce((${newest}) > coalesce(${chainStates.finalizedHeight}, -1), false)`,
      hasOpenOrders: sql<boolean>`${exists(openOrders)}`,
    })
    .from(chainStates)
    .where(eq(chainStates.asset, asset));
}

/** Whether a scan found the chain exactly as a stored scan did a moment ago. */
function isSame(before: ChainState, result: ScanResult, now: Date): boolean {
  return (
    isQuiet(before, result) &&
    isRecent(before, now) &&
    (result.finalizedHeight === null || result.finalizedHeight === before.finalizedHeight) &&
    isDeepStrictEqual(before.cursor, result.cursor)
  );
}

/**
 * Looks up the deposits that this scan did not return: pending ones, credited ones in a block that the scan has read
 * and that is not final, and those that are missing or could not be looked up before.
 */
async function recheckUnseen(
  ctx: ExchangeContext,
  asset: AssetSymbol,
  { transfers, readFrom, cursor, finalizedHeight }: ScanResult,
  knownFinalizedHeight: number | null,
): Promise<void> {
  const firstOpen = Math.max(readFrom, (finalizedHeight ?? knownFinalizedHeight ?? -1) + 1);
  const wasRead = and(gte(deposits.blockNumber, firstOpen), lte(deposits.blockNumber, cursor.height));
  const isCredited = and(
    eq(deposits.status, "confirmed"),
    or(wasRead, isNotNull(deposits.missingSince), isNotNull(deposits.recheckSince)),
  );
  const found = await selectDeposits(
    ctx.db,
    and(eq(deposits.asset, asset), or(eq(deposits.status, "pending"), isCredited)),
  );
  const [pending, credited] = [
    found.filter((d) => d.status === "pending"),
    found.filter((d) => d.status !== "pending"),
  ];
  await recheckPending(ctx, asset, pending, transfers);
  await recheckCredited(ctx, credited, transfers);
}

type Deposit = typeof deposits.$inferSelect & { fundingAddress: string };

async function selectDeposits(db: Database, condition: SQL | undefined): Promise<Deposit[]> {
  const rows = await db
    .select({ deposit: deposits, fundingAddress: orders.fundingAddress })
    .from(deposits)
    .innerJoin(orders, eq(orders.id, deposits.orderId))
    .where(condition);
  return rows.map(({ deposit, fundingAddress }) => ({ ...deposit, fundingAddress }));
}

/**
 * Looks up pending deposits that the scan did not see. One may have moved to another block, where a contract may have
 * paid someone else: it is applied again. One that a reorg has removed is dropped.
 */
async function recheckPending(
  ctx: ExchangeContext,
  asset: AssetSymbol,
  pending: Deposit[],
  seen: ChainTransfer[],
): Promise<void> {
  const keys = new Set(seen.map((t) => `${t.txHash}:${t.logIndex}`));
  const unseen = pending.filter((deposit) => !keys.has(`${deposit.txHash}:${deposit.logIndex}`));
  if (unseen.length === 0) return;
  const results = await ctx.chains[asset].recheck(unseen);
  const found: ChainTransfer[] = [];
  const gone: Deposit[] = [];
  for (const [index, deposit] of unseen.entries()) {
    const result = results[index];
    if (result === undefined || result instanceof Error) {
      // A failed lookup does not mean that the deposit is gone, and must not block the others.
      ctx.log.warn({ deposit: deposit.id, error: describeError(result) }, "a pending deposit could not be looked up");
    } else {
      const isGone = result === null || (!result.disputed && result.address !== deposit.fundingAddress);
      if (isGone) gone.push(deposit);
      if (result !== null) found.push(result);
    }
  }
  const apply = (work: (tx: Database) => Promise<void>) =>
    ctx.db.transaction(async (tx) => {
      await lockFor(tx, `scan:${asset}`);
      await work(tx);
    });
  for (const deposit of gone) await apply((tx) => dropDeposit(tx, ctx, deposit));
  for (let from = 0; from < found.length; from += maxBatch) {
    const transfers = found.slice(from, from + maxBatch);
    await apply(async (tx) => applyTransfers(tx, ctx, { asset, transfers, seenAt: await ctx.clock.now(tx) }));
  }
}

/**
 * Looks up credited deposits that the scan did not see as they were: a reorg may have removed their block. A payment is
 * only prepared after such a look-up too; this one finds orders that have no payment to prepare.
 * @returns the orders whose deposits could not be looked up
 */
async function recheckCredited(ctx: ExchangeContext, credited: Deposit[], seen: ChainTransfer[]): Promise<string[]> {
  const toKey = ({ blockHash, txHash, logIndex, amount }: Deposit | ChainTransfer, address: string) =>
    [blockHash, txHash, logIndex, amount, address].join(" ");
  const keys = new Set(seen.filter(({ disputed }) => !disputed).map((transfer) => toKey(transfer, transfer.address)));
  const isDue = (deposit: Deposit) =>
    deposit.missingSince !== null || deposit.recheckSince !== null || !keys.has(toKey(deposit, deposit.fundingAddress));
  const failed: string[] = [];
  for (const orderId of new Set(credited.filter(isDue).map((deposit) => deposit.orderId))) {
    await recheckDeposits(ctx, orderId).catch((error: unknown) => {
      failed.push(orderId);
      ctx.log.warn({ order: orderId, error: describeError(error) }, "the deposits of an order could not be looked up");
    });
  }
  return failed;
}
