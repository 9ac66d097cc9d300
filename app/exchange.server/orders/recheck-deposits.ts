import { and, asc, eq, isNotNull, isNull } from "drizzle-orm";
import { formatAmount } from "../../lib/money";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { ChainTransfer } from "../chains/gateway";
import type { ExchangeContext, RunningContext } from "../context";
import { getFinalizedHeight } from "../db/chain-state";
import { deposits } from "../db/schema/deposits";
import { orders } from "../db/schema/orders";
import { toFirstLine } from "../describe-error";
import { external, InsufficientBalanceError, post, treasury } from "../ledger/ledger";
import { addFunds, checkNodes } from "../operator-advice";
import type { DepositRow } from "./queries";
import { reverseDeposit } from "./reverse-deposit";
import { lockOrderRow, recordEvent } from "./transition";

type LookUp = (deposit: DepositRow) => Promise<ChainTransfer | null | Error>;
/** What is known already if deposits of many orders are looked up together. `safeBlocks`: hashes of blocks in the chain. */
type Known = { safeBlocks?: Set<string>; lookUp?: LookUp };

/**
 * Asks the chain again for the credited deposits of an order, because a reorg may have removed one
 * since it was credited. Deposits in finalized blocks are not looked up. Reverses what is gone.
 *
 * Calls the chain, so it must not run in a transaction.
 * @returns `funded` if every deposit is still in its block, or unchanged and deep enough in another one, or its loss was
 *   written off; `lost` if one is gone and could not be reversed, because it was already paid out; `reversed` otherwise
 * @throws Error if the nodes do not agree or cannot answer: then no payment may be prepared yet
 */
export async function recheckDeposits(
  ctx: RunningContext,
  orderId: string,
  { safeBlocks = new Set(), lookUp = (deposit) => lookUpDeposit(ctx, deposit) }: Known = {},
): Promise<"funded" | "reversed" | "lost"> {
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
  let isComplete = true;
  for (const { deposit, fundingAddress } of open) {
    // A block hash stands for all that is in the block, so one look-up per block is enough.
    if (safeBlocks.has(deposit.blockHash) && !isUncertain(deposit)) continue;
    const result = await recheckDeposit(ctx, { deposit, fundingAddress, lookUp }).catch(async (error: unknown) => {
      await alertIfStuck(ctx, deposit, error);
      throw error;
    });
    if (result === "gone") isComplete = false;
    // If a reorg has replaced the block, other deposits in it may be gone.
    if (result === "in its block") safeBlocks.add(deposit.blockHash);
  }
  if (isComplete) return "funded";
  const lost = await ctx.db
    .select({ id: deposits.id })
    .from(deposits)
    .where(
      and(
        eq(deposits.orderId, orderId),
        eq(deposits.status, "confirmed"),
        isNotNull(deposits.missingSince),
        isNull(deposits.writtenOffAt),
      ),
    );
  return lost.length > 0 ? "lost" : "reversed";
}

/** It is missing, could not be looked up when its block became final, or its swap could not be undone. */
export const isUncertain = ({ missingSince, recheckSince }: DepositRow) =>
  missingSince !== null || recheckSince !== null;

/** How long the state of a deposit in a final block may stay unknown before an operator is alerted. */
const alertAfterMs = 10 * 60_000;

/** Alerts an operator to a deposit in a final block whose lookup keeps failing, or that cannot be reversed. */
async function alertIfStuck(ctx: ExchangeContext, deposit: DepositRow, error: unknown): Promise<void> {
  const at = await ctx.clock.now(ctx.db);
  const isShort = error instanceof InsufficientBalanceError;
  const { id, orderId, asset, amount, recheckSince } = deposit;
  if (!isShort && (recheckSince === null || at.getTime() - recheckSince.getTime() < alertAfterMs)) return;
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
  { deposit, fundingAddress, lookUp }: { deposit: DepositRow; fundingAddress: string; lookUp: LookUp },
): Promise<"in its block" | "moved" | "gone" | "written off"> {
  const result = await lookUp(deposit);
  if (result instanceof Error) throw result;
  if (result?.disputed) throw new Error(`The nodes do not agree on the block of deposit ${deposit.id}.`);
  // In another block, a contract may have paid someone else, or another amount.
  const found = result?.address === fundingAddress ? result : null;
  const isSame = found?.amount === deposit.amount;
  if (result?.blockHash === deposit.blockHash) {
    if (!isSame) throw new Error(`The nodes now report something else about deposit ${deposit.id}.`);
    if (isUncertain(deposit)) await markFound(ctx, deposit, {});
    return "in its block";
  }
  if (found && isSame && found.confirmations >= deposit.requiredConfirmations) {
    const { blockHash, blockNumber, blockLogIndex } = found;
    await markFound(ctx, deposit, { blockHash, blockNumber, blockLogIndex });
    return "moved";
  }
  if (deposit.writtenOffAt !== null) return "written off";
  ctx.log.error({ deposit: deposit.id, order: deposit.orderId }, "a reorg removed a credited deposit");
  await ctx.db.transaction((tx) => reverseDeposit(tx, ctx, { deposit, found }));
  return "gone";
}

/**
 * Stores where a deposit is. If its loss was written off, that is undone. Does nothing if it has changed since `deposit`
 * was read.
 */
async function markFound(
  ctx: ExchangeContext,
  deposit: DepositRow,
  place: Partial<Pick<DepositRow, "blockHash" | "blockNumber" | "blockLogIndex">>,
): Promise<void> {
  const { id, orderId, asset, amount, blockHash } = deposit;
  const isSame = and(eq(deposits.id, id), eq(deposits.blockHash, blockHash));
  await ctx.db.transaction(async (tx) => {
    await lockOrderRow(tx, orderId);
    const [before] = await tx.select().from(deposits).where(isSame).for("update");
    if (!before) return;
    const set = { ...place, missingSince: null, writtenOffAt: null, recheckSince: null };
    await tx.update(deposits).set(set).where(isSame);
    await clearAlert(tx, `deposit:${id}`);
    if (before.writtenOffAt === null) return;
    const at = await ctx.clock.now(tx);
    const transfers = [{ asset, from: external, to: treasury, amount, kind: "write_off_undone" as const }];
    await post(tx, { transfers, orderId, at });
    await recordEvent(tx, orderId, { kind: "deposit_found", data: { deposit: id }, at });
  });
}
