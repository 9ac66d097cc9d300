import { and, eq, ne } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import type { ChainTransfer } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { deposits } from "../db/schema/deposits";
import { orders } from "../db/schema/orders";
import { newId } from "../ids";
import { isLate } from "../orders/evaluate";
import { retakeReserve } from "../orders/fill";
import { proceed } from "../orders/proceed";
import type { DepositRow } from "../orders/queries";
import { isOlderThanOrder, setTransferAside } from "../orders/set-aside-transfer";
import { lockOrder, type OrderRow, recordEvent, touchOrder, transition } from "../orders/transition";
import { settleQuote } from "../pricing/quotes";
import { creditDeposit } from "./credit-deposit";
import { mustWaitForFinality } from "./value-at-risk";

/** A transfer seen on the chain of `asset`. `seenAt` is its time if the chain has no block times. */
type SeenDeposit = { asset: AssetSymbol; transfer: ChainTransfer; seenAt: Date };

/**
 * Records a transfer to a funding address as a deposit of its order, and credits it once it
 * has enough confirmations. Idempotent: the same transfer can be applied repeatedly and in
 * any order. Credits the amount on the chain, whatever the order asked for.
 *
 * Runs in the transaction that stores the scanner's new cursor. Ignores a transfer to an
 * address that belongs to no order.
 */
export async function applyTransfer(
  tx: Database,
  ctx: ExchangeContext,
  { asset, transfer: seen, seenAt }: SeenDeposit,
): Promise<void> {
  const [target] = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.sourceAsset, asset), eq(orders.fundingAddress, seen.address)));
  if (!target) return;
  const order = await lockOrder(tx, target.id);
  const at = await ctx.clock.now(tx);
  const [known] = await tx
    .select()
    .from(deposits)
    .where(and(eq(deposits.asset, asset), eq(deposits.txHash, seen.txHash), eq(deposits.logIndex, seen.logIndex)));
  if (!known && isOlderThanOrder(order, seen)) {
    await setTransferAside(tx, ctx, { order, transfer: seen, at });
    return;
  }
  const transfer = await limitConfirmations(tx, ctx, { asset, orderId: order.id, transfer: seen, known });
  if (await isStoredUnderOtherKey(tx, asset, transfer, known?.id ?? null)) {
    ctx.log.error({ asset, txHash: transfer.txHash, logIndex: transfer.logIndex }, "a log was numbered in two ways");
    return;
  }
  const deposit = known
    ? await updateDeposit(tx, known, transfer, at)
    : await insertDeposit(tx, {
        order,
        transfer,
        requiredConfirmations: ctx.chains[asset].requiredConfirmations,
        blockTime: transfer.blockTime ?? seenAt,
        at,
      });
  if (!deposit) return;
  const isNew = !known || known.status === "failed";
  const updatedOrder = isNew ? await startConfirming(tx, ctx, { order, deposit, at }) : order;
  if (deposit.status === "pending" && deposit.confirmations >= deposit.requiredConfirmations) {
    await creditDeposit(tx, ctx, { order: updatedOrder, deposit, at });
  }
}

/** The transfer with one confirmation too few while it has to wait until its block is finalized. */
async function limitConfirmations(
  tx: Database,
  ctx: ExchangeContext,
  deposit: { asset: AssetSymbol; orderId: string; transfer: ChainTransfer; known: DepositRow | undefined },
): Promise<ChainTransfer> {
  const { asset, orderId, transfer, known } = deposit;
  const required = known?.requiredConfirmations ?? ctx.chains[asset].requiredConfirmations;
  if (transfer.confirmations < required || known?.status === "confirmed") return transfer;
  const mustWait = await mustWaitForFinality(tx, ctx, { asset, orderId, transfer, knownId: known?.id ?? null });
  return mustWait ? { ...transfer, confirmations: required - 1 } : transfer;
}

/** Whether another deposit already stands for this log: a node left out logs of its transaction. */
async function isStoredUnderOtherKey(
  tx: Database,
  asset: AssetSymbol,
  { txHash, blockHash, blockLogIndex }: ChainTransfer,
  knownId: string | null,
): Promise<boolean> {
  const [other] = await tx
    .select({ id: deposits.id })
    .from(deposits)
    .where(
      and(
        eq(deposits.asset, asset),
        eq(deposits.txHash, txHash),
        eq(deposits.blockHash, blockHash),
        eq(deposits.blockLogIndex, blockLogIndex),
        ne(deposits.status, "failed"),
        knownId === null ? undefined : ne(deposits.id, knownId),
      ),
    );
  return other !== undefined;
}

async function insertDeposit(
  tx: Database,
  values: { order: OrderRow; transfer: ChainTransfer; requiredConfirmations: number; blockTime: Date; at: Date },
): Promise<DepositRow | null> {
  const { order, transfer, requiredConfirmations, blockTime, at } = values;
  const [row] = await tx
    .insert(deposits)
    .values({
      id: newId(),
      orderId: order.id,
      asset: order.sourceAsset,
      txHash: transfer.txHash,
      logIndex: transfer.logIndex,
      displayHash: transfer.displayHash,
      blockHash: transfer.blockHash,
      blockNumber: transfer.blockNumber,
      blockLogIndex: transfer.blockLogIndex,
      blockTime,
      amount: transfer.amount,
      confirmations: transfer.confirmations,
      requiredConfirmations,
      status: "pending",
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

/**
 * Updates a deposit from the chain, unless it was already credited. Returns null for a
 * credited deposit.
 */
async function updateDeposit(
  tx: Database,
  known: DepositRow,
  transfer: ChainTransfer,
  at: Date,
): Promise<DepositRow | null> {
  if (known.creditedAt !== null && known.status === "confirmed") return null;
  const isUnchanged =
    known.status === "pending" &&
    known.confirmations === transfer.confirmations &&
    known.blockHash === transfer.blockHash;
  if (isUnchanged) return known;
  const [row] = await tx
    .update(deposits)
    .set({
      status: "pending",
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
  await touchOrder(tx, known.orderId, at);
  return row ?? null;
}

/** Handles a deposit that is new, or back after a reorg: marks the quote as used and the order as confirming. */
async function startConfirming(
  tx: Database,
  ctx: ExchangeContext,
  { order, deposit, at }: { order: OrderRow; deposit: DepositRow; at: Date },
): Promise<OrderRow> {
  const event = {
    kind: "deposit_seen" as const,
    data: { deposit: deposit.id, amount: deposit.amount.toString(), hash: deposit.displayHash },
    at,
  };
  await settleQuote(tx, order.quoteId, "used", at);
  if (order.status === "awaiting_deposit") return transition(tx, order, "confirming", event);
  if (order.status === "expired" && !isLate(order, deposit)) {
    // Discovered after the order expired, but paid in time: it gets its locked rate and its reserve back.
    const reopened = await transition(tx, order, "confirming", event);
    await retakeReserve(tx, ctx, reopened, at);
    return reopened;
  }
  if (order.status === "needs_decision" && !isLate(order, deposit)) {
    return transition(tx, order, "confirming", { ...event, set: { decisionReason: null, offerQuoteId: null } });
  }
  // On hold while it needed a decision: after its release it is evaluated again with this deposit.
  if (order.status === "on_hold" && order.heldFrom === "needs_decision" && !isLate(order, deposit)) {
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
  if (dropped.status === "confirming") await proceed(tx, ctx, dropped, at);
}
