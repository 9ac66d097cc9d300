import { and, eq, gt, gte, inArray, isNull, lte, or, type SQL } from "drizzle-orm";
import type { AssetSymbol } from "../../../lib/assets";
import { mapInBatches } from "../../../lib/map-in-batches";
import type { ChainTransfer, ScanResult } from "../../chains/gateway";
import type { RunningContext } from "../../context";
import { getFinalizedHeight } from "../../db/chain-state";
import { type Database, lockFor } from "../../db/database";
import { type DepositRow, deposits } from "../../db/schema/deposits";
import { orders } from "../../db/schema/orders";
import { describeError } from "../../describe-error";
import { applyRead } from "../apply-read";
import { depositIs } from "../deposit-state";
import { dropDeposit } from "../drop-deposit";
import { toKey } from "../known-deposits";
import { endSearches } from "./dropped-deposits";
import { isUncertain, lookUpDeposit, recheckDeposits } from "./recheck-deposits";

/** How many orders are rechecked at a time. */
const ordersAtOnce = 8;

/**
 * Looks up the credited deposits whose blocks have become final since the last scan: a reorg may have removed
 * them in the meantime. After that, deposits in final blocks are looked up again only if this lookup failed, or if
 * their swap has to be undone and could not be.
 * @returns the deposits that it has looked up, for `hasUncheckedFinal`
 */
export async function recheckFinal(
  ctx: RunningContext,
  asset: AssetSymbol,
  finalBefore: number,
  { finalizedHeight, transfers }: ScanResult,
): Promise<Set<string>> {
  if (finalizedHeight === null) return new Set();
  const becameFinal = isCreditedBetween(asset, finalBefore, finalizedHeight);
  const credited = await selectDeposits(ctx.db, becameFinal);
  const failed = await recheckCredited(ctx, asset, credited, { seen: transfers, finalBefore: finalizedHeight });
  if (failed.length > 0) {
    const now = await ctx.clock.now(ctx.db);
    await ctx.db
      .update(deposits)
      .set({ recheckSince: now })
      .where(and(becameFinal, inArray(deposits.orderId, failed), isNull(deposits.recheckSince)));
  }
  return new Set(credited.map(toCreditedKey));
}

/**
 * Whether another process has credited a deposit in a block that has become final, or has moved one there, after
 * `recheckFinal` looked up those that it returned. That process may have been paused, so the height must not be stored
 * as final before a later scan has looked it up.
 */
export async function hasUncheckedFinal(
  tx: Database,
  asset: AssetSymbol,
  { finalBefore, finalizedHeight, checked }: { finalBefore: number; finalizedHeight: number; checked: Set<string> },
): Promise<boolean> {
  const { id, blockHash, creditedAt } = deposits;
  const credited = await tx
    .select({ id, blockHash, creditedAt })
    .from(deposits)
    .where(isCreditedBetween(asset, finalBefore, finalizedHeight));
  return credited.some((deposit) => !checked.has(toCreditedKey(deposit)));
}

const isCreditedBetween = (asset: AssetSymbol, finalBefore: number, finalizedHeight: number) =>
  and(
    eq(deposits.asset, asset),
    eq(deposits.status, "confirmed"),
    gt(deposits.blockNumber, finalBefore),
    lte(deposits.blockNumber, finalizedHeight),
  );

/** Changes when a deposit is in another block, or was taken back and credited again. */
const toCreditedKey = ({ id, blockHash, creditedAt }: Pick<DepositRow, "id" | "blockHash" | "creditedAt">) =>
  `${id} ${blockHash} ${creditedAt?.getTime()}`;

/**
 * Looks up the deposits that this scan did not return: pending ones, credited ones in a block that the scan has read
 * and that is not final, and those that are missing, were dropped, could not be looked up before, or whose swap could
 * not be undone.
 */
export async function recheckUnseen(
  ctx: RunningContext,
  asset: AssetSymbol,
  { transfers, readFrom, cursor, finalizedHeight }: ScanResult,
  knownFinalizedHeight: number | null,
): Promise<void> {
  const finalBefore = finalizedHeight ?? knownFinalizedHeight;
  const firstOpen = Math.max(readFrom, (finalBefore ?? -1) + 1);
  const wasRead = and(gte(deposits.blockNumber, firstOpen), lte(deposits.blockNumber, cursor.height));
  const { pending, credited, to_recheck, missing, written_off, dropped } = depositIs;
  const isDue = or(pending, and(credited, wasRead), to_recheck, missing, written_off, dropped);
  const due = await selectDeposits(ctx.db, and(eq(deposits.asset, asset), isDue));
  const select = (status: Deposit["status"]) => due.filter((deposit) => deposit.status === status);
  const lookedFor = select("failed");
  await recheckUncredited(ctx, asset, [...select("pending"), ...lookedFor], transfers);
  if (lookedFor.length > 0) await endSearches(ctx, lookedFor);
  await recheckCredited(ctx, asset, select("confirmed"), { seen: transfers, finalBefore });
}

type Deposit = DepositRow & { fundingAddress: string };

async function selectDeposits(db: Database, condition: SQL | undefined): Promise<Deposit[]> {
  const rows = await db
    .select({ deposit: deposits, fundingAddress: orders.fundingAddress })
    .from(deposits)
    .innerJoin(orders, eq(orders.id, deposits.orderId))
    .where(condition);
  return rows.map(({ deposit, fundingAddress }) => ({ ...deposit, fundingAddress }));
}

/**
 * Looks up deposits that are not credited and that the scan did not see. A deposit that has moved to another block is
 * applied again, because a contract may have paid someone else there. A pending deposit that a reorg has
 * removed is dropped.
 */
async function recheckUncredited(
  ctx: RunningContext,
  asset: AssetSymbol,
  uncredited: Deposit[],
  seen: ChainTransfer[],
): Promise<void> {
  const keys = new Set(seen.map(toKey));
  const unseen = uncredited.filter((deposit) => !keys.has(toKey(deposit)));
  if (unseen.length === 0) return;
  const finalWhenRead = await getFinalizedHeight(ctx.db, asset);
  const results = await ctx.chains[asset].recheck(unseen);
  const found: ChainTransfer[] = [];
  const gone: Deposit[] = [];
  for (const [index, deposit] of unseen.entries()) {
    const result = results[index];
    if (result === undefined || result instanceof Error) {
      // A failed lookup does not mean that the deposit is gone. It must not block the others.
      ctx.log.warn(
        { deposit: deposit.id, error: describeError(result) },
        "an uncredited deposit could not be looked up",
      );
    } else {
      const isGone = result === null || (!result.disputed && result.address !== deposit.fundingAddress);
      if (isGone && deposit.status === "pending") gone.push(deposit);
      if (result !== null) found.push(result);
    }
  }
  for (const deposit of gone) {
    await ctx.db.transaction(async (tx) => {
      await lockFor(tx, `scan:${asset}`);
      await dropDeposit(tx, ctx, deposit);
    });
  }
  if (found.length > 0) await applyRead(ctx, { asset, transfers: found, finalWhenRead });
}

/**
 * Looks up credited deposits that the scan did not see unchanged: a reorg may have removed their block. The
 * same lookup precedes every payment; this one also covers orders that have no payment to prepare.
 *
 * A block hash stands for everything in the block. So thousands of deposits in one block need only one lookup, and only
 * orders whose deposits may have changed are read. `finalBefore` is the final height that is known already.
 * @returns the orders whose deposits could not be looked up
 */
async function recheckCredited(
  ctx: RunningContext,
  asset: AssetSymbol,
  credited: Deposit[],
  { seen, finalBefore }: { seen: ChainTransfer[]; finalBefore: number | null },
): Promise<string[]> {
  const toFullKey = ({ blockHash, txHash, ordinal, amount }: Deposit | ChainTransfer, address: string) =>
    [blockHash, txHash, ordinal, amount, address].join(" ");
  const keys = new Set(
    seen.filter(({ disputed }) => !disputed).map((transfer) => toFullKey(transfer, transfer.address)),
  );
  const isDue = (deposit: Deposit) => isUncertain(deposit) || !keys.has(toFullKey(deposit, deposit.fundingAddress));
  const due = credited.filter(isDue);
  if (due.length === 0) return [];
  const known = await lookUpTogether(ctx, asset, due);
  const unclear = due.filter((deposit) => isUncertain(deposit) || !known.safeBlocks.has(deposit.blockHash));
  const orderIds = [...new Set(unclear.map((deposit) => deposit.orderId))];
  const failed: string[] = [];
  await mapInBatches(orderIds, ordersAtOnce, async (orderId) => {
    try {
      await recheckDeposits(ctx, orderId, { ...known, finalBefore });
    } catch (error) {
      failed.push(orderId);
      ctx.log.warn({ order: orderId, error: describeError(error) }, "the deposits of an order could not be looked up");
    }
  });
  return failed;
}

/**
 * Looks up these deposits with one request to the gateway: all that are uncertain, and one of the others in each block.
 * A result is used only if it says that the deposit is in its block, or that its state is not known. A deposit that may
 * be gone is looked up once more, on its own.
 */
async function lookUpTogether(ctx: RunningContext, asset: AssetSymbol, due: Deposit[]) {
  const ofBlock = new Map(due.filter((one) => !isUncertain(one)).map((one) => [one.blockHash, one]));
  const some = [...due.filter(isUncertain), ...ofBlock.values()];
  const results = await ctx.chains[asset].recheck(some).catch((cause: unknown) => {
    const error = new Error("The deposits cannot be looked up.", { cause });
    return some.map(() => error);
  });
  const safeBlocks = new Set<string>();
  const known = new Map<string, ChainTransfer | Error>();
  for (const [index, deposit] of some.entries()) {
    const result = results[index];
    if (!result) continue;
    const isUnclear = result instanceof Error || result.disputed === true;
    if (!isUnclear && result.blockHash !== deposit.blockHash) continue;
    known.set(deposit.id, result);
    const isSame = !isUnclear && result.address === deposit.fundingAddress && result.amount === deposit.amount;
    if (isSame) safeBlocks.add(deposit.blockHash);
    else if (isUnclear && !isUncertain(deposit)) known.set(deposit.blockHash, result);
  }
  const lookUp = async (deposit: DepositRow) => {
    const state = known.get(deposit.id) ?? (isUncertain(deposit) ? undefined : known.get(deposit.blockHash));
    // The deposit may have been moved to another block since.
    const stillCounts = state instanceof Error || state?.disputed || state?.blockHash === deposit.blockHash;
    return state && stillCounts ? state : lookUpDeposit(ctx, deposit);
  };
  return { safeBlocks, lookUp };
}
