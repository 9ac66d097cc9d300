import { and, asc, eq, inArray, or } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer } from "../chains/gateway";
import type { ExchangeContext, RunningContext } from "../context";
import type { Database } from "../db/database";
import { type DepositRow, deposits } from "../db/schema/deposits";
import { type OrderRow, orders } from "../db/schema/orders";
import { isLate } from "../orders/payment-deadline";
import { startConfirming } from "../orders/start-confirming";
import { lockOrderRow } from "../orders/transition";
import { creditDeposits } from "./credit-deposits";
import { dropContradicted, type Known, readKnown, toKey, toLog } from "./known-deposits";
import { isOlderThanOrder, reportOlderTransfer } from "./older-transfers";
import { type Changed, insertDeposits, updateDeposits } from "./store-deposits";
import { type FinalityLimit, openFinalityLimit } from "./value-at-risk";

/** Transfers seen on the chain of `asset`. `seenAt` is their time if the chain has no block times. */
type SeenTransfers = { asset: AssetSymbol; transfers: ChainTransfer[]; seenAt: Date };

/**
 * Records transfers to funding addresses as deposits of their orders, and credits those with enough
 * confirmations. Idempotent: the same transfer can be applied repeatedly and in any order. Credits
 * the amount on the chain, whatever the order asked for. Ignores a transfer to an address that does not belong to an
 * order.
 *
 * Runs under the chain's scan lock. Locks the orders, in the order of their ids. The number of statements depends on
 * the number of orders and not of transfers, because one transaction of the chain can make thousands of deposits.
 */
export async function applyTransfers(
  tx: Database,
  ctx: RunningContext,
  { asset, transfers, seenAt }: SeenTransfers,
): Promise<void> {
  if (transfers.length === 0) return;
  const locked = await lockOrders(tx, asset, transfers);
  if (locked.length === 0) return;
  const known = await readKnown(tx, asset, transfers);
  const hasDropped = await dropContradicted(tx, ctx, { transfers, orders: locked, known });
  const limit = await openFinalityLimit(tx, ctx, asset);
  for (const target of locked) {
    const ofOrder = transfers.filter(({ address }) => address === target.fundingAddress);
    if (ofOrder.length === 0) continue;
    const order = hasDropped ? await lockOrderRow(tx, target.id) : target;
    await applyToOrder(tx, ctx, { order, transfers: ofOrder, known, limit, seenAt });
  }
}

/** Locks the orders that the transfers pay, and those that have a deposit from one of their transactions. */
async function lockOrders(tx: Database, asset: AssetSymbol, transfers: ChainTransfer[]): Promise<OrderRow[]> {
  const addresses = [...new Set(transfers.map(({ address }) => address))];
  const hashes = [...new Set(transfers.map(({ txHash }) => txHash))];
  const recorded = tx
    .select({ id: deposits.orderId })
    .from(deposits)
    .where(and(eq(deposits.asset, asset), inArray(deposits.txHash, hashes)));
  return tx
    .select()
    .from(orders)
    .where(
      and(eq(orders.sourceAsset, asset), or(inArray(orders.fundingAddress, addresses), inArray(orders.id, recorded))),
    )
    .orderBy(asc(orders.id))
    .for("update");
}

type OrderTransfers = { order: OrderRow; transfers: ChainTransfer[]; known: Known; limit: FinalityLimit };

/** Stores the transfers to an order's funding address, moves the order on, and credits what is confirmed. */
async function applyToOrder(
  tx: Database,
  ctx: ExchangeContext,
  { seenAt, ...input }: OrderTransfers & { seenAt: Date },
): Promise<void> {
  const { order } = input;
  const at = await ctx.clock.now(tx);
  const changed = await selectChanged(tx, ctx, { ...input, at });
  const stored = [
    ...(await insertDeposits(tx, { order, changed, seenAt, at })),
    ...(await updateDeposits(tx, { order, changed, at })),
  ];
  if (stored.length === 0) return;
  const added = stored.filter((row) => isAdded(order, row, input.known.byKey.get(toKey(row))));
  const updated = added.length > 0 ? await startConfirming(tx, ctx, { order, added, at }) : order;
  const rows = stored.filter((row) => row.status === "pending" && row.confirmations >= row.requiredConfirmations);
  if (rows.length > 0) await creditDeposits(tx, ctx, { order: updated, rows, at });
}

/**
 * Whether a deposit is new, back after a reorg, or in time now, because its new block is earlier than the one
 * before.
 */
function isAdded(order: OrderRow, stored: DepositRow, known: DepositRow | undefined): boolean {
  return !known || known.status === "failed" || (isLate(order, known) && !isLate(order, stored));
}

/**
 * The transfers to store, each with the confirmations that count and the deposit it may already have. Leaves out
 * those that are credited, older than the order (which raises an alert), or stored under another number. Adds the
 * others to `known`.
 */
async function selectChanged(
  tx: Database,
  ctx: ExchangeContext,
  { order, transfers, known, limit, at }: OrderTransfers & { at: Date },
): Promise<Changed[]> {
  const { requiredConfirmations } = ctx.chains[order.sourceAsset];
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
      // A node has left out logs of the transaction, so another deposit already represents this log.
      const { txHash, ordinal } = seen;
      ctx.log.error({ asset: order.sourceAsset, txHash, ordinal }, "a log was numbered as two different transfers");
      continue;
    }
    known.byLog.set(toLog(seen), toKey(seen));
    // If the setting was raised after the deposit was first seen, the higher value applies: the chain is less safe than
    // it seemed.
    const required = Math.max(row?.requiredConfirmations ?? 0, requiredConfirmations);
    const { confirmations, awaitsFinality } = await countConfirmations(limit, { order, seen, known: row, required });
    changed.push({ transfer: { ...seen, confirmations }, required, awaitsFinality, known: row });
  }
  return changed;
}

/**
 * The confirmations that count: at most one less than needed while the nodes disagree, or while the deposit has to wait
 * for finality.
 */
async function countConfirmations(
  limit: FinalityLimit,
  { order, seen, known, required }: { order: OrderRow; seen: ChainTransfer; known?: DepositRow; required: number },
): Promise<{ confirmations: number; awaitsFinality: boolean }> {
  const awaitsFinality = await limit.mustWait({
    orderId: order.id,
    transfer: seen,
    isNew: !known || known.status === "failed",
    isDeep: seen.confirmations >= required,
  });
  const isCapped = awaitsFinality || seen.disputed;
  return { confirmations: isCapped ? Math.min(seen.confirmations, required - 1) : seen.confirmations, awaitsFinality };
}
