import { isDeepStrictEqual } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ScanResult } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import { type ChainState, lockChainState } from "../db/chain-state";
import type { Database } from "../db/database";
import { chainStates } from "../db/schema/chains";
import { perContext } from "../per-context";
import { hasUncheckedFinal } from "./rechecks/recheck-after-scan";

/** How often scans are stored while a chain is quiet. An order may expire that much later. */
const storeQuietMs = 5_000;

/** What the last scan in this process found. `quiet` is the stored state, or null if something has happened since. */
type LastScan = { hasWork: boolean; quiet: ChainState | null };
const lastScans = perContext((): Partial<Record<AssetSymbol, LastScan>> => ({}));

export function getLastScan(ctx: ExchangeContext, asset: AssetSymbol): LastScan | undefined {
  return lastScans(ctx)[asset];
}

export function setLastScan(ctx: ExchangeContext, asset: AssetSymbol, scan: LastScan): void {
  lastScans(ctx)[asset] = scan;
}

/**
 * Whether the last scan found anything that depends on new blocks: a node that is behind, an unfinished order, or a
 * deposit or range of blocks to check again. If not, only late deposits can arrive, which can wait a few seconds.
 */
export function hasScanWork(ctx: ExchangeContext, asset: AssetSymbol): boolean {
  return getLastScan(ctx, asset)?.hasWork ?? true;
}

/** Whether a scan found nothing new except blocks. */
export function isQuiet(before: ChainState, result: ScanResult): boolean {
  return (
    result.caughtUp &&
    result.transfers.length === 0 &&
    before.cursor !== null &&
    before.synced === (result.scannedThrough !== null) &&
    before.lastError === null
  );
}

/** Whether a scan was stored so recently that a quiet scan does not have to be stored. */
export function wasJustStored({ checkedAt }: ChainState, now: Date): boolean {
  return checkedAt !== null && Math.abs(now.getTime() - checkedAt.getTime()) < storeQuietMs;
}

/** Whether a scan found the chain exactly as a stored scan did a moment ago. */
export function isSame(before: ChainState, result: ScanResult, now: Date): boolean {
  return (
    isQuiet(before, result) &&
    wasJustStored(before, now) &&
    (result.finalizedHeight === null || result.finalizedHeight <= (before.finalizedHeight ?? -1)) &&
    isDeepStrictEqual(before.cursor, result.cursor)
  );
}

/**
 * Stores a quiet scan, unless one was stored a moment ago or the cursor has moved since `before`. It does not take the
 * lock on scans: a scan with transfers locks the chain's state, so this one waits for it, and then stores nothing. A
 * rescan or a recheck locks the state as well, but does not move the cursor. So a higher final height is not stored
 * before a later scan has looked up what they credited.
 * @returns the stored state, or null if it was not stored
 */
export async function storeQuietScan(
  ctx: ExchangeContext,
  asset: AssetSymbol,
  before: ChainState,
  { result, startedAt }: { result: ScanResult; startedAt: Date },
): Promise<ChainState | null> {
  if (wasJustStored(before, startedAt)) return before;
  if (before.cursor === null) return null;
  const { cursor, scannedThrough, finalizedHeight } = result;
  const isUnmoved = and(eq(chainStates.asset, asset), eq(chainStates.cursor, before.cursor));
  const store = async (db: Database) => {
    const columns = {
      cursor,
      height: cursor.height,
      checkedAt: startedAt,
      // Other nodes may report a lower height, but what was final stays final.
      finalizedHeight: sql`greatest(${chainStates.finalizedHeight}, ${finalizedHeight}::bigint)`,
      ...(scannedThrough && { scannedThrough }),
    };
    const [stored] = await db.update(chainStates).set(columns).where(isUnmoved).returning();
    return stored ?? null;
  };
  const finalBefore = before.finalizedHeight ?? -1;
  if (finalizedHeight === null || finalizedHeight <= finalBefore) return store(ctx.db);
  return ctx.db.transaction(async (tx) => {
    await lockChainState(tx, asset);
    const mustWait = await hasUncheckedFinal(tx, asset, { finalBefore, finalizedHeight, checked: new Set() });
    return mustWait ? null : store(tx);
  });
}
