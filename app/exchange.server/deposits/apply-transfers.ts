import { and, asc, eq, inArray, or } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { deposits } from "../db/schema/deposits";
import { orders } from "../db/schema/orders";
import { newId } from "../ids";
import { advanceOrder } from "../orders/advance-order";
import { isLate } from "../orders/evaluate";
import { retakeReserve } from "../orders/fill";
import { notifyPaymentSeen } from "../orders/notify-owner";
import { isOlderThanOrder, reportOlderTransfer } from "../orders/older-transfers";
import type { DepositRow } from "../orders/queries";
import { lockOrder, type OrderRow, recordEvent, touchOrder, transition } from "../orders/transition";
import { closeQuote } from "../pricing/quotes";
import { creditDeposits } from "./credit-deposits";
import { type FinalityLimit, openFinalityLimit } from "./value-at-risk";

/** How many transfers the scan and the recheck apply in one transaction, so that none holds the locks of many orders for long. */
export const maxTransfersPerTransaction = 50;

/** Transfers seen on the chain of `asset`. `seenAt` is their time if the chain has no block times. */
type SeenTransfers = { asset: AssetSymbol; transfers: ChainTransfer[]; seenAt: Date };

/**
 * Records transfers to funding addresses as deposits of their orders, and credits those with enough
 * confirmations. Idempotent: the same transfer can be applied repeatedly and in any order. Credits
 * the amount on the chain, whatever the order asked for. Ignores a transfer to an address that belongs
 * to no order.
 *
 * Runs in the transaction that stores the scanner's new cursor, under the chain's scan lock. Locks the
 * orders, in the order of their ids. The number of statements depends on the number of orders and not
 * of transfers, because one transaction of the chain can make thousands of deposits.
 */
export async function applyTransfers(
  tx: Database,
  ctx: ExchangeContext,
  { asset, transfers, seenAt }: SeenTransfers,
): Promise<void> {
  const addresses = [...new Set(transfers.map(({ address }) => address))];
  if (addresses.length === 0) return;
  const isMeant = inArray(orders.fundingAddress, addresses);
  const hashes = [...new Set(transfers.map(({ txHash }) => txHash))];
  const isRecorded = inArray(
    orders.id,
    tx
      .select({ id: deposits.orderId })
      .from(deposits)
      .where(and(eq(deposits.asset, asset), inArray(deposits.txHash, hashes))),
  );
  const locked = await tx
    .select()
    .from(orders)
    .where(and(eq(orders.sourceAsset, asset), or(isMeant, isRecorded)))
    .orderBy(asc(orders.id))
    .for("update");
  if (locked.length === 0) return;
  const known = await readKnown(tx, asset, transfers);
  const hasDropped = await dropContradicted(tx, ctx, { transfers, orders: locked, known });
  const limit = await openFinalityLimit(tx, ctx, asset);
  for (const target of locked) {
    const ofOrder = transfers.filter(({ address }) => address === target.fundingAddress);
    if (ofOrder.length === 0) continue;
    const order = hasDropped ? await lockOrder(tx, target.id) : target;
    await applyToOrder(tx, ctx, { order, transfers: ofOrder, known, limit, seenAt });
  }
}

/** The stored deposits by their transfer, which is identified both by its number in the transaction and by its log. */
type Known = { byKey: Map<string, DepositRow>; byLog: Map<string, string> };

const toKey = ({ txHash, logIndex }: { txHash: string; logIndex: number }) => `${txHash}:${logIndex}`;
const toLog = (log: { txHash: string; blockHash: string; blockLogIndex: number | null }) =>
  `${log.txHash}:${log.blockHash}:${log.blockLogIndex}`;

async function readKnown(tx: Database, asset: AssetSymbol, transfers: ChainTransfer[]): Promise<Known> {
  const unique = <T>(values: T[]) => [...new Set(values)];
  const rows = await tx
    .select()
    .from(deposits)
    .where(
      and(
        eq(deposits.asset, asset),
        inArray(deposits.txHash, unique(transfers.map(({ txHash }) => txHash))),
        or(
          inArray(deposits.logIndex, unique(transfers.map(({ logIndex }) => logIndex))),
          inArray(deposits.blockLogIndex, unique(transfers.map(({ blockLogIndex }) => blockLogIndex))),
        ),
      ),
    );
  return {
    byKey: new Map(rows.map((row) => [toKey(row), row])),
    byLog: new Map(rows.filter(({ status }) => status !== "failed").map((row) => [toLog(row), toKey(row)])),
  };
}

/**
 * Drops the pending deposits that were recorded from a wrong answer: the nodes agree now that the
 * transfer is for another order, or another log of the same block. They are recorded again.
 * @returns whether there was one
 */
async function dropContradicted(
  tx: Database,
  ctx: ExchangeContext,
  { transfers, orders: locked, known }: { transfers: ChainTransfer[]; orders: OrderRow[]; known: Known },
): Promise<boolean> {
  let hasDropped = false;
  for (const transfer of transfers) {
    const row = known.byKey.get(toKey(transfer));
    if (row?.status !== "pending" || transfer.disputed) continue;
    const order = locked.find(({ fundingAddress }) => fundingAddress === transfer.address);
    const isOtherLog =
      row.blockHash === transfer.blockHash &&
      row.blockLogIndex !== null &&
      row.blockLogIndex !== transfer.blockLogIndex;
    if (row.orderId === order?.id && !isOtherLog) continue;
    ctx.log.error({ deposit: row.id, order: row.orderId }, "most nodes now report something else about a deposit");
    await dropDeposit(tx, ctx, row);
    known.byKey.set(toKey(row), { ...row, status: "failed" });
    known.byLog.delete(toLog(row));
    hasDropped = true;
  }
  return hasDropped;
}

type Changed = { transfer: ChainTransfer; known: DepositRow | undefined };

async function applyToOrder(
  tx: Database,
  ctx: ExchangeContext,
  {
    order,
    transfers,
    known,
    limit,
    seenAt,
  }: { order: OrderRow; transfers: ChainTransfer[]; known: Known; limit: FinalityLimit; seenAt: Date },
): Promise<void> {
  const at = await ctx.clock.now(tx);
  const required = ctx.chains[order.sourceAsset].requiredConfirmations;
  const changed: Changed[] = [];
  for (const seen of transfers) {
    const row = known.byKey.get(toKey(seen));
    if (row?.status === "confirmed" && row.creditedAt !== null) continue;
    if (!row && isOlderThanOrder(order, seen)) {
      await reportOlderTransfer(tx, ctx, { order, transfer: seen, at });
      continue;
    }
    const storedAs = known.byLog.get(toLog(seen));
    if (storedAs !== undefined && storedAs !== toKey(seen)) {
      // A node left out logs of the transaction: another deposit already stands for this log.
      const { txHash, logIndex } = seen;
      ctx.log.error({ asset: order.sourceAsset, txHash, logIndex }, "a log was numbered in two ways");
      continue;
    }
    known.byLog.set(toLog(seen), toKey(seen));
    const confirmations = await countConfirmations(limit, { order, seen, known: row, required });
    changed.push({ transfer: { ...seen, confirmations }, known: row });
  }
  const stored = [
    ...(await insertDeposits(tx, { order, changed, required, seenAt, at })),
    ...(await updateDeposits(tx, { order, changed, at })),
  ];
  if (stored.length === 0) return;
  const isNew = new Set(changed.flatMap((c) => (!c.known || c.known.status === "failed" ? [toKey(c.transfer)] : [])));
  const added = stored.filter((row) => isNew.has(toKey(row)));
  const updated = added.length > 0 ? await startConfirming(tx, ctx, { order, added, at }) : order;
  const rows = stored.filter((row) => row.status === "pending" && row.confirmations >= row.requiredConfirmations);
  if (rows.length > 0) await creditDeposits(tx, ctx, { order: updated, rows, at });
}

/**
 * The confirmations that count: at most one less than needed while the nodes disagree, or while the deposit has to wait
 * for finality.
 */
async function countConfirmations(
  limit: FinalityLimit,
  { order, seen, known, required }: { order: OrderRow; seen: ChainTransfer; known?: DepositRow; required: number },
): Promise<number> {
  const needed = known?.requiredConfirmations ?? required;
  const mustWait = await limit.mustWait({
    orderId: order.id,
    transfer: seen,
    isNew: !known || known.status === "failed",
    isDeep: seen.confirmations >= needed,
  });
  return mustWait || seen.disputed ? Math.min(seen.confirmations, needed - 1) : seen.confirmations;
}

async function insertDeposits(
  tx: Database,
  values: { order: OrderRow; changed: Changed[]; required: number; seenAt: Date; at: Date },
): Promise<DepositRow[]> {
  const { order, required, seenAt, at } = values;
  const rows = values.changed.flatMap(({ transfer, known }) =>
    known
      ? []
      : [
          {
            id: newId(),
            orderId: order.id,
            asset: order.sourceAsset,
            txHash: transfer.txHash,
            logIndex: transfer.logIndex,
            displayHash: transfer.displayHash,
            blockHash: transfer.blockHash,
            blockNumber: transfer.blockNumber,
            blockLogIndex: transfer.blockLogIndex,
            blockTime: transfer.blockTime ?? seenAt,
            amount: transfer.amount,
            confirmations: transfer.confirmations,
            requiredConfirmations: required,
            status: "pending" as const,
            createdAt: at,
            updatedAt: at,
          },
        ],
  );
  if (rows.length === 0) return [];
  return tx.insert(deposits).values(rows).onConflictDoNothing().returning();
}

/**
 * Updates known deposits from the chain. If the nodes do not agree on a transfer, only its confirmations count, unless
 * its deposit has failed: then it is recorded as if it were new.
 * @returns the deposits that are pending, as they are now
 */
async function updateDeposits(
  tx: Database,
  { order, changed, at }: { order: OrderRow; changed: Changed[]; at: Date },
): Promise<DepositRow[]> {
  const rows: DepositRow[] = [];
  const deeper = new Map<number, string[]>();
  let hasChanged = false;
  for (const { transfer, known } of changed) {
    if (!known) continue;
    const { confirmations } = transfer;
    if (known.status === "pending" && isAsRecorded(known, transfer)) {
      rows.push({ ...known, confirmations });
      if (known.confirmations === confirmations) continue;
      deeper.set(confirmations, [...(deeper.get(confirmations) ?? []), known.id]);
    } else if (transfer.disputed && known.status !== "failed") {
      continue;
    } else {
      rows.push(...(await recordAgain(tx, known, { order, transfer, at })));
    }
    hasChanged = true;
  }
  for (const [confirmations, ids] of deeper) {
    await tx.update(deposits).set({ confirmations, updatedAt: at }).where(inArray(deposits.id, ids));
  }
  if (hasChanged) await touchOrder(tx, order.id, at);
  return rows;
}

/** Whether the block, amount and time stored for a deposit are those of the transfer. */
function isAsRecorded(known: DepositRow, transfer: ChainTransfer): boolean {
  return (
    known.blockHash === transfer.blockHash &&
    known.amount === transfer.amount &&
    (transfer.blockTime === null || known.blockTime.getTime() === transfer.blockTime.getTime())
  );
}

/** Updates a deposit that is now in another block, is back after a reorg, or was recorded from a wrong answer. */
async function recordAgain(
  tx: Database,
  known: DepositRow,
  { order, transfer, at }: { order: OrderRow; transfer: ChainTransfer; at: Date },
): Promise<DepositRow[]> {
  return tx
    .update(deposits)
    .set({
      status: "pending",
      orderId: order.id,
      blockHash: transfer.blockHash,
      blockNumber: transfer.blockNumber,
      blockLogIndex: transfer.blockLogIndex,
      // A transfer in a new block has a new time. Without block times, the first time it was seen remains.
      blockTime: transfer.blockTime ?? known.blockTime,
      amount: transfer.amount,
      confirmations: transfer.confirmations,
      updatedAt: at,
    })
    .where(eq(deposits.id, known.id))
    .returning();
}

/** Handles deposits that are new, or back after a reorg: marks the quote as used and the order as confirming. */
async function startConfirming(
  tx: Database,
  ctx: ExchangeContext,
  { order, added, at }: { order: OrderRow; added: DepositRow[]; at: Date },
): Promise<OrderRow> {
  const amount = added.reduce((sum, deposit) => sum + deposit.amount, 0n);
  const event = {
    kind: "deposit_seen" as const,
    data: {
      deposits: added.map(({ id }) => id),
      amount: amount.toString(),
      hashes: [...new Set(added.map(({ displayHash }) => displayHash))],
    },
    at,
  };
  const isInTime = added.some((deposit) => !isLate(order, deposit));
  await closeQuote(tx, order.quoteId, "used", at);
  if (order.status === "awaiting_deposit") {
    const started = await transition(tx, order, "confirming", event);
    await notifyPaymentSeen(tx, ctx, started, amount);
    return started;
  }
  if (order.status === "expired" && isInTime) {
    // Discovered after the order expired, but paid in time: it gets its locked rate and its reserve back.
    const reopened = await transition(tx, order, "confirming", event);
    await retakeReserve(tx, ctx, reopened, at);
    await notifyPaymentSeen(tx, ctx, reopened, amount);
    return reopened;
  }
  if (order.status === "needs_decision" && isInTime) {
    return transition(tx, order, "confirming", { ...event, set: { decisionReason: null, offerQuoteId: null } });
  }
  // On hold while it needed a decision: after its release it is evaluated again with these deposits.
  if (order.status === "on_hold" && order.heldFrom === "needs_decision" && isInTime) {
    return recordEvent(tx, order.id, {
      ...event,
      set: { heldFrom: "confirming", decisionReason: null, offerQuoteId: null },
    });
  }
  return recordEvent(tx, order.id, event);
}

/** Marks a pending deposit as failed after a reorg removed its transfer from the chain. */
export async function dropDeposit(
  tx: Database,
  ctx: ExchangeContext,
  deposit: Pick<DepositRow, "id" | "orderId">,
): Promise<void> {
  const order = await lockOrder(tx, deposit.orderId);
  const at = await ctx.clock.now(tx);
  const rows = await tx
    .update(deposits)
    .set({ status: "failed", confirmations: 0, updatedAt: at })
    .where(and(eq(deposits.id, deposit.id), eq(deposits.status, "pending")))
    .returning({ id: deposits.id });
  if (rows.length === 0) return;
  const dropped = await recordEvent(tx, order.id, { kind: "deposit_reorged", data: { deposit: deposit.id }, at });
  // In other states the order waits for a decision about credited deposits, and this one was not credited.
  if (dropped.status === "confirming") await advanceOrder(tx, ctx, dropped, at);
}
