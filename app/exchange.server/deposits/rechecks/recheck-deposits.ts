import { and, asc, eq, isNull } from "drizzle-orm";
import { minuteMs } from "../../../lib/durations";
import { formatAmount } from "../../../lib/money";
import { clearAlert, raiseAlert } from "../../alerts/alerts";
import type { ChainTransfer } from "../../chains/gateway";
import type { ExchangeContext, RunningContext } from "../../context";
import { getFinalizedHeight } from "../../db/chain-state";
import type { Database } from "../../db/database";
import { type DepositRow, deposits } from "../../db/schema/deposits";
import { orders } from "../../db/schema/orders";
import { toFirstLine } from "../../describe-error";
import { external, heldFor, InsufficientBalanceError, post, type Transfer, treasury } from "../../ledger/ledger";
import { addFunds, checkNodes } from "../../operator-advice";
import { evaluateWithDeposit } from "../../orders/evaluate-again";
import { getHeldDeposits, toCredited } from "../../orders/held-deposits";
import type { OrderEvent } from "../../orders/order-event";
import { lockOrderRow, recordEvent } from "../../orders/transition";
import { becameFinal } from "../became-final";
import { toDepositState } from "../deposit-state";
import { type Reversal, reverseDeposit } from "./reverse-deposit";

type LookUp = (deposit: DepositRow) => Promise<ChainTransfer | null | Error>;
/**
 * What is already known when deposits of many orders are looked up together. `safeBlocks`: hashes of blocks in the
 * chain; `finalBefore`: the final height that was known before they were looked up.
 */
type Known = { safeBlocks?: Set<string>; lookUp?: LookUp; finalBefore?: number | null };

/**
 * Looks up the credited deposits of an order on the chain again, because a reorg may have removed one since it
 * was credited. Skips deposits in finalized blocks. Reverses those that are gone.
 *
 * Calls the chain, so it must not run in a transaction.
 * @returns `funded` if all deposits that the order's planned payments use are there; `reversed` if one was gone, and
 * what was planned with it has just been undone; `waits` if one has moved to another block and is not deep enough there
 * @throws Error if the nodes do not agree or cannot respond: payments must not be prepared yet
 */
export async function recheckDeposits(
  ctx: RunningContext,
  orderId: string,
  { safeBlocks = new Set(), lookUp = (deposit) => lookUpDeposit(ctx, deposit), ...known }: Known = {},
): Promise<"funded" | "reversed" | "waits"> {
  const credited = await ctx.db
    .select({ deposit: deposits, fundingAddress: orders.fundingAddress })
    .from(deposits)
    .innerJoin(orders, eq(orders.id, deposits.orderId))
    .where(and(eq(deposits.orderId, orderId), eq(deposits.status, "confirmed")))
    .orderBy(asc(deposits.id));
  const [first] = credited;
  if (!first) return "funded";
  const finalizedHeight = await getFinalizedHeight(ctx.db, first.deposit.asset);
  const open = credited.filter(
    ({ deposit }) => isUncertain(deposit) || finalizedHeight === null || deposit.blockNumber > finalizedHeight,
  );
  const { finalBefore = finalizedHeight } = known;
  const results = new Set<Awaited<ReturnType<typeof recheckDeposit>>>();
  for (const { deposit, fundingAddress } of open) {
    // A block hash stands for everything in the block, so one lookup per block is enough.
    if (safeBlocks.has(deposit.blockHash) && !isUncertain(deposit)) continue;
    const result = await recheckDeposit(ctx, { deposit, fundingAddress, finalBefore, lookUp }).catch(
      async (error: unknown) => {
        await alertIfStuck(ctx, deposit, error);
        throw error;
      },
    );
    results.add(result);
    // If a reorg has replaced the block, other deposits in it may be gone.
    if (result === "in_block") safeBlocks.add(deposit.blockHash);
  }
  if (results.has("waits")) return "waits";
  return results.has("reversed") ? "reversed" : "funded";
}

/** Whether a credited deposit is looked up again even in a final block, because it may not be on the chain. */
export const isUncertain = (deposit: DepositRow) => toDepositState(deposit) !== "credited";

/** How long the state of a deposit in a final block may stay unknown before an operator is alerted. */
const alertAfterMs = 10 * minuteMs;

/** Alerts an operator to a deposit in a final block whose lookup keeps failing, or that cannot be reversed. */
async function alertIfStuck(ctx: ExchangeContext, deposit: DepositRow, error: unknown): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  const isShort = error instanceof InsufficientBalanceError;
  const { id, orderId, asset, amount, recheckSince } = deposit;
  // A time in the future means that the clock was corrected.
  if (!isShort && (recheckSince === null || Math.abs(at.getTime() - recheckSince.getTime()) < alertAfterMs)) return;
  const what = `a deposit of ${formatAmount(amount, asset)} ${asset}`;
  const message = toFirstLine(error);
  const reason = isShort
    ? `A reorg removed ${what}, but its swap cannot be undone: ${message}. We keep trying.`
    : `We don't know whether ${what} is still on the chain: ${message} We keep trying.`;
  const action = isShort ? addFunds : checkNodes(asset);
  // Each scan tries it again until it is undone, or the deposit is found after all.
  if (isShort) {
    const isNew = and(eq(deposits.id, id), eq(deposits.status, "confirmed"), isNull(deposits.recheckSince));
    await ctx.db.update(deposits).set({ recheckSince: at }).where(isNew);
  }
  await raiseAlert(ctx.db, ctx, { subject: `deposit:${id}`, orderId, reason, action, at });
}

/** Looks up one deposit on its chain. */
export async function lookUpDeposit(ctx: RunningContext, deposit: DepositRow): Promise<ChainTransfer | null | Error> {
  const [result = null] = await ctx.chains[deposit.asset].recheck([deposit]);
  return result;
}

async function recheckDeposit(
  ctx: ExchangeContext,
  {
    deposit,
    fundingAddress,
    finalBefore,
    lookUp,
  }: { deposit: DepositRow; fundingAddress: string; finalBefore: number | null; lookUp: LookUp },
): Promise<"in_block" | "moved" | Reversal> {
  const result = await lookUp(deposit);
  if (result instanceof Error) throw result;
  if (result?.disputed) throw new Error(`The nodes do not agree on the block of deposit ${deposit.id}.`);
  // In another block, a contract may have paid someone else, or another amount.
  const found = result?.address === fundingAddress ? result : null;
  const isSame = found?.amount === deposit.amount;
  if (result?.blockHash === deposit.blockHash) {
    if (!isSame) throw new Error(`The nodes now report something else about deposit ${deposit.id}.`);
    if (isUncertain(deposit)) await markFound(ctx, deposit, { moved: null, finalBefore });
    return "in_block";
  }
  // As for a deposit that is not credited yet, a setting that was raised since applies to it in its new block, too.
  const required = Math.max(deposit.requiredConfirmations, ctx.chains[deposit.asset].requiredConfirmations);
  if (found && isSame && found.confirmations >= required) {
    await markFound(ctx, deposit, { moved: found, finalBefore });
    return "moved";
  }
  const reversal = await ctx.db.transaction((tx) => reverseDeposit(tx, ctx, { deposit, found }));
  if (reversal === "reversed")
    ctx.log.error({ deposit: deposit.id, order: deposit.orderId }, "a reorg removed a credited deposit");
  return reversal;
}

/**
 * Stores where a deposit is; `moved` is the transfer if it is in another block. What was taken back of a missing
 * deposit is credited again, and if its loss was written off, that is undone. Does nothing if it has changed since
 * `deposit` was read, or was taken back. If its block has become final since then, it is looked up once more: this
 * process may have been paused in between (`finalBefore`).
 */
async function markFound(
  ctx: ExchangeContext,
  deposit: DepositRow,
  { moved, finalBefore }: { moved: ChainTransfer | null; finalBefore: number | null },
): Promise<void> {
  const { id, orderId, asset, amount, blockHash } = deposit;
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, orderId);
    // A deposit that was dropped keeps its block, and is still looked for.
    const isSame = and(eq(deposits.id, id), eq(deposits.blockHash, blockHash), eq(deposits.status, "confirmed"));
    const [before] = await tx.select().from(deposits).where(isSame).for("update");
    if (!before || (before.missingSince === null) !== (deposit.missingSince === null)) return;
    const at = await ctx.clock.now(tx);
    const isOld = becameFinal(moved ?? before, finalBefore, await getFinalizedHeight(tx, asset));
    const found = await storeFound(tx, before, { moved, recheckSince: isOld ? at : null, at });
    await clearAlert(tx, `deposit:${id}`);
    if (before.missingSince === null) return;
    const credited = toCredited(before);
    const transfers: Transfer[] = [
      { asset, from: external, to: heldFor(orderId), amount: amount - credited, kind: "deposit" },
    ];
    if (before.writtenOffAt !== null)
      transfers.push({ asset, from: external, to: treasury, amount: credited, kind: "write_off_undone" });
    await post(tx, { transfers, orderId, at });
    const event: OrderEvent = { kind: "deposit_found", data: { deposit: id }, at };
    if (credited < amount) await evaluateWithDeposit(tx, ctx, { order, deposit: found, event });
    else await recordEvent(tx, orderId, event);
  });
}

/**
 * Stores that a deposit is on the chain. What was taken back of it counts as credited now, unless the rest was swapped:
 * what an order holds comes from the deposits that were credited last, so what was swapped must not be among them.
 */
async function storeFound(
  tx: Database,
  before: DepositRow,
  { moved, recheckSince, at }: { moved: ChainTransfer | null; recheckSince: Date | null; at: Date },
): Promise<DepositRow> {
  const place = moved && {
    blockHash: moved.blockHash,
    blockNumber: moved.blockNumber,
    blockLogIndex: moved.blockLogIndex,
  };
  const again = toCredited(before) < before.amount && {
    creditedAt: (await isSwapped(tx, before)) ? before.creditedAt : at,
    blockTime: moved?.blockTime ?? before.blockTime,
  };
  const notMissing = { missingSince: null, lostAmount: null, writtenOffAt: null, recheckSince };
  const [found = before] = await tx
    .update(deposits)
    // Its funding address may have looked empty only because the nodes were wrong.
    .set({ ...place, ...again, ...notMissing, emptyAtHeight: null })
    .where(eq(deposits.id, before.id))
    .returning();
  return found;
}

/** Whether a missing deposit was swapped: the part that is still credited is more than its refunds return. */
async function isSwapped(tx: Database, { id, orderId }: DepositRow): Promise<boolean> {
  return (await getHeldDeposits(tx, orderId)).some((deposit) => deposit.id === id);
}
