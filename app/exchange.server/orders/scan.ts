import { and, eq, inArray } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer, ScanCursor } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import { lockFor } from "../db/database";
import { describeError } from "../http/error-answers";
import { applyTransfer, dropDeposit } from "./deposits";
import { chainStates, deposits, orders } from "./tables";

/** After a gap this long between two polls, a deposit counts from the poll before the gap. */
const gapMs = 60_000;
/** Ranges read in one run of the job; what is left is read by the next. */
const maxSteps = 50;

/**
 * Reads a chain on from its cursor and applies what it finds. May run twice at once and be
 * killed anywhere: transfers and cursor are stored in one transaction, under one lock a
 * chain, and a run that started from an older cursor changes nothing.
 */
export async function scanChain(x: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const gateway = x.chains[asset];
  try {
    for (let step = 0; step < maxSteps; step += 1) {
      const before = await getChainState(x, asset);
      const cursor = (before?.cursor ?? null) as ScanCursor | null;
      const result = await gateway.scan(cursor, (addresses) => findOurs(x, asset, addresses));
      const stored = await x.db.transaction(async (tx) => {
        await lockFor(tx, `scan:${asset}`);
        const [current] = await tx.select().from(chainStates).where(eq(chainStates.asset, asset));
        if (JSON.stringify(current?.cursor ?? null) !== JSON.stringify(before?.cursor ?? null)) return false;
        const now = await x.clock.now(tx);
        const seenAt = firstMoment(before?.scannedThrough ?? null, now);
        for (const transfer of result.transfers) await applyTransfer(tx, x, asset, transfer, seenAt);
        const seen = {
          cursor: result.cursor,
          height: result.cursor.height,
          synced: result.scannedThrough ? 1 : 0,
          checkedAt: now,
          lastError: null,
          // Never back: a deadline that may fire stays so.
          ...(result.scannedThrough && { scannedThrough: result.scannedThrough }),
        };
        await tx
          .insert(chainStates)
          .values({ asset, ...seen })
          .onConflictDoUpdate({ target: chainStates.asset, set: seen });
        return true;
      });
      if (!stored || result.caughtUp) {
        await recheckPending(x, asset, result.transfers);
        return;
      }
    }
  } catch (error) {
    await noteChainError(x, asset, error);
    throw error;
  }
}

/**
 * When a deposit happened on a chain that tells no time: now, the first poll that saw it.
 * Where we were away it may have come at any moment of the gap, and a service that was down
 * costs nobody their rate: then it is the last poll before.
 */
function firstMoment(previousPoll: Date | null, now: Date): Date {
  return previousPoll && now.getTime() - previousPoll.getTime() > gapMs ? previousPoll : now;
}

async function findOurs(x: ExchangeContext, asset: AssetSymbol, addresses: string[]): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const rows = await x.db
    .select({ address: orders.fundingAddress })
    .from(orders)
    .where(and(eq(orders.sourceAsset, asset), inArray(orders.fundingAddress, addresses)));
  return new Set(rows.map((row) => row.address));
}

/** Asks again about pending deposits that this scan did not bring: re-included elsewhere, or gone. */
async function recheckPending(x: ExchangeContext, asset: AssetSymbol, seen: ChainTransfer[]): Promise<void> {
  const keys = new Set(seen.map((t) => `${t.txHash}:${t.logIndex}`));
  const pending = await x.db
    .select()
    .from(deposits)
    .where(and(eq(deposits.asset, asset), eq(deposits.status, "pending")));
  for (const deposit of pending) {
    if (keys.has(`${deposit.txHash}:${deposit.logIndex}`)) continue;
    const found = await x.chains[asset].recheck(deposit).catch((error: unknown) => {
      // Not known is not gone, and one that cannot be told of does not keep the others.
      x.log.warn({ deposit: deposit.id, error: describeError(error) }, "a pending deposit could not be looked up");
      return undefined;
    });
    if (found === undefined) continue;
    await x.db.transaction(async (tx) => {
      const same = found && found.txHash === deposit.txHash && found.logIndex === deposit.logIndex;
      if (!same) await dropDeposit(tx, x, deposit.id, deposit.orderId);
      if (found) await applyTransfer(tx, x, asset, found, deposit.blockTime);
    });
  }
}

async function getChainState(x: ExchangeContext, asset: AssetSymbol) {
  const [row] = await x.db.select().from(chainStates).where(eq(chainStates.asset, asset));
  return row;
}

async function noteChainError(x: ExchangeContext, asset: AssetSymbol, error: unknown): Promise<void> {
  const lastError = error instanceof Error ? error.message.slice(0, 500) : "unknown";
  // One failed poll is no outage: how old the last good one is, is what counts.
  const set = { lastError };
  await x.db
    .insert(chainStates)
    .values({ asset, ...set })
    .onConflictDoUpdate({ target: chainStates.asset, set });
}

/**
 * What our wallet on a chain can send and whether anything keeps it from sending: looked up
 * now and then, kept beside the cursor for locks and the status page.
 */
export async function checkWallet(x: ExchangeContext, asset: AssetSymbol): Promise<void> {
  const gateway = x.chains[asset];
  const [spendable, obstacle, { chainId }] = await Promise.all([
    gateway.getSpendable(),
    gateway.getPaymentObstacle(),
    gateway.verify(),
  ]);
  const walletCheckedAt = await x.clock.now(x.db);
  const set = { spendable, obstacle, chainId: String(chainId), walletCheckedAt };
  await x.db
    .insert(chainStates)
    .values({ asset, ...set })
    .onConflictDoUpdate({ target: chainStates.asset, set });
}
