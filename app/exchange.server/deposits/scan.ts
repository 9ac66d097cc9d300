import { and, eq, exists, inArray, isNull, or, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { addMs, laterOf, minuteMs } from "../../lib/durations";
import { openStatuses } from "../../lib/order-states";
import type { ScanResult } from "../chains/gateway";
import type { RunningContext } from "../context";
import { type ChainState, saveChainState } from "../db/chain-state";
import type { Database } from "../db/database";
import { chainStates, rescans } from "../db/schema/chains";
import { deposits } from "../db/schema/deposits";
import { orders } from "../db/schema/orders";
import { describeError, toFirstLine } from "../describe-error";
import { applyRead } from "./apply-read";
import { type DepositState, depositIs } from "./deposit-state";
import { matchFundingAddresses } from "./match-addresses";
import { getLastScan, isQuiet, isSame, setLastScan, storeQuietScan, wasJustStored } from "./quiet-scans";
import { hasUncheckedFinal, recheckFinal, recheckUnseen } from "./rechecks/recheck-after-scan";
import { continueRescans } from "./rescan";

/** After a longer gap between two scans, a new deposit is dated to the scan before the gap, see `toSeenAt`. */
const gapMs = minuteMs;
/** Block ranges per run of the job; the next run continues. */
const maxSteps = 50;

/**
 * Scans a chain from its stored cursor and applies the transfers found. Safe to run
 * concurrently and to be killed at any point: the last transfers and the cursor are stored in one
 * transaction, under a lock per chain, and a run that started from an outdated cursor
 * stores nothing.
 *
 * Scanning from an older cursor finds the same transfers again. So while a chain is quiet, the database is read only
 * every five seconds.
 */
export async function scanChain(ctx: RunningContext, asset: AssetSymbol): Promise<void> {
  try {
    let startedAt = await ctx.clock.now(ctx.db);
    if (await isStillQuiet(ctx, asset, startedAt)) return;
    for (let step = 0; step < maxSteps; step += 1) {
      if ((await scanNext(ctx, asset, startedAt)) === "done") return;
      startedAt = await ctx.clock.now(ctx.db);
    }
  } catch (error) {
    // Stores only the message: a single failed scan is not an outage. The age of `checkedAt` shows an outage.
    const failedAt = await ctx.clock.now(ctx.db);
    await saveChainState(ctx.db, asset, { lastError: toFirstLine(error), failedAt });
    throw error;
  }
}

/** Whether the chain is still quiet since the scan that this process stored a moment ago. */
async function isStillQuiet(ctx: RunningContext, asset: AssetSymbol, startedAt: Date): Promise<boolean> {
  const { hasWork, quiet } = getLastScan(ctx, asset) ?? {};
  // While no swap is open, every scan checks the database for new orders.
  if (!hasWork || !quiet || !wasJustStored(quiet, startedAt)) return false;
  return isQuiet(quiet, await scanFrom(ctx, asset, quiet, startedAt));
}

/** Scans one range of blocks. @returns whether there are more to scan now */
async function scanNext(ctx: RunningContext, asset: AssetSymbol, startedAt: Date): Promise<"more" | "done"> {
  const [start] = await selectScanState(ctx.db, asset);
  const before = start?.state;
  setLastScan(ctx, asset, { hasWork: true, quiet: null });
  const result = await scanFrom(ctx, asset, before, startedAt);
  const checked = start?.hasOpenDeposits
    ? await recheckFinal(ctx, asset, before?.finalizedHeight ?? -1, result)
    : new Set<string>();

  const found = classify(start, result, startedAt);
  const quiet = before && found === "quiet" ? await storeQuietScan(ctx, asset, before, { result, startedAt }) : null;
  setLastScan(ctx, asset, { hasWork: dependsOnNewBlocks(start, result), quiet });
  if (found === "changed") {
    const isStored = await storeScan(ctx, asset, before, { ...result, startedAt, checked });
    if (isStored && !result.caughtUp) return "more";
    await recheckUnseen(ctx, asset, result, before?.finalizedHeight ?? null);
  }
  if (start?.hasRescan) {
    await continueRescans(ctx, asset).catch((error: unknown) =>
      ctx.log.warn({ asset, error: describeError(error) }, "a range of blocks could not be read again"),
    );
  }
  return "done";
}

/** The state that a scan starts from; undefined while nothing is stored about the chain. */
type ScanStart = Awaited<ReturnType<typeof selectScanState>>[number] | undefined;

/**
 * - `quiet`: a scan found nothing new except blocks, and nothing depends on these.
 * - `same`: something depends on new blocks, but the scan found none, and the stored one is recent.
 * - `changed`: anything else, so the scan has to be stored and its blocks looked at.
 */
function classify(start: ScanStart, result: ScanResult, startedAt: Date): "quiet" | "same" | "changed" {
  if (!start) return "changed";
  const { state, hasOpenDeposits, hasRescan } = start;
  if (!hasOpenDeposits && !hasRescan && isQuiet(state, result)) return "quiet";
  return isSame(state, result, startedAt) ? "same" : "changed";
}

/** Whether the next scan must follow soon: see `hasScanWork`. */
function dependsOnNewBlocks(start: ScanStart, result: ScanResult): boolean {
  const isInSync = result.caughtUp && result.scannedThrough !== null;
  return !start || !isInSync || start.hasOpenOrders || start.hasOpenDeposits || start.hasRescan;
}

function scanFrom(
  ctx: RunningContext,
  asset: AssetSymbol,
  state: ChainState | undefined,
  startedAt: Date,
): Promise<ScanResult> {
  const cursor = state?.cursor ?? null;
  const match = (addresses: string[]) => matchFundingAddresses(ctx, asset, addresses);
  return ctx.chains[asset].scan(cursor, match, startedAt);
}

/**
 * Applies the transfers of a scan and stores its cursor with the last of them. False if another run has moved the cursor
 * since `before`, or has stored as final a block in which this run had already found transfers. `checked`: the result of
 * `recheckFinal`.
 */
async function storeScan(
  ctx: RunningContext,
  asset: AssetSymbol,
  before: ChainState | undefined,
  {
    transfers,
    cursor,
    scannedThrough,
    finalizedHeight,
    startedAt,
    checked,
  }: ScanResult & { startedAt: Date; checked: Set<string> },
): Promise<boolean> {
  const finalBefore = before?.finalizedHeight ?? -1;
  const finalWhenRead = Math.max(finalBefore, finalizedHeight ?? -1);
  const scanTime = toSeenAt(before?.scannedThrough ?? null, startedAt, ctx.config.lockTtlMs);
  const read = { asset, transfers, finalWhenRead };
  return applyRead(ctx, read, {
    async begin(tx, current) {
      if (JSON.stringify(current?.cursor ?? null) !== JSON.stringify(before?.cursor ?? null)) return null;
      // Other nodes may report a lower height, but what was final stays final.
      const isHigher = finalizedHeight !== null && finalizedHeight > (current?.finalizedHeight ?? -1);
      const mustWait = isHigher && (await hasUncheckedFinal(tx, asset, { finalBefore, finalizedHeight, checked }));
      if (isHigher && !mustWait) await saveChainState(tx, asset, { finalizedHeight });
      // The process may have been paused since the scan started, which counts like a gap before it.
      return laterOf(scanTime, addMs(await ctx.clock.now(tx), -ctx.config.lockTtlMs));
    },
    end: (tx) =>
      saveChainState(tx, asset, {
        cursor,
        height: cursor.height,
        synced: scannedThrough !== null,
        checkedAt: startedAt,
        lastError: null,
        // Keep the last known time while the node is out of sync.
        ...(scannedThrough && { scannedThrough }),
      }),
  });
}

/**
 * The time of a new deposit on a chain without block times: when the scan started, however slow it was. After a gap it
 * may have arrived at any time since the previous scan, so that scan's time is used: customers must not lose their rate
 * because the exchange was down. But a deposit is never dated to more than `maxMs` before its scan, or before the time
 * at which it is stored, because a customer who paid in time cannot be told apart from one who watched the market until
 * the end of a long gap (T44).
 */
function toSeenAt(previousScan: Date | null, startedAt: Date, maxMs: number): Date {
  const ageMs = previousScan === null ? 0 : startedAt.getTime() - previousScan.getTime();
  return ageMs > gapMs ? addMs(startedAt, -Math.min(ageMs, maxMs)) : startedAt;
}

/** Selects the state that a scan starts from: the chain's state, and whether anything depends on its next blocks. */
export function selectScanState(db: Database, asset: AssetSymbol) {
  const ofAsset = eq(deposits.asset, asset);
  const anyIs = (state: DepositState) =>
    exists(db.select({ one: sql`1` }).from(deposits).where(and(ofAsset, depositIs[state])));
  const open = or(...(["pending", "to_recheck", "missing", "written_off", "dropped"] as const).map(anyIs));
  // Reads from the end of an index. A query for any later deposit would read every confirmed deposit.
  const newest = db
    .select({ blockNumber: sql`max(${deposits.blockNumber})` })
    .from(deposits)
    .where(and(ofAsset, eq(deposits.status, "confirmed")));
  const openRescans = db
    .select({ one: sql`1` })
    .from(rescans)
    .where(and(eq(rescans.asset, asset), isNull(rescans.finishedAt)));
  const openOrders = db.select({ one: sql`1` }).from(orders).where(inArray(orders.status, openStatuses));
  return db
    .select({
      state: chainStates,
      hasRescan: sql<boolean>`${exists(openRescans)}`,
      // Deposits that new blocks may confirm or a reorg may remove. Until a block is known to be final, this
      // includes every confirmed deposit.
      hasOpenDeposits: sql<boolean>`${open} or coalesce((${newest}) > coalesce(${chainStates.finalizedHeight}, -1), false)`,
      hasOpenOrders: sql<boolean>`${exists(openOrders)}`,
    })
    .from(chainStates)
    .where(eq(chainStates.asset, asset));
}
