import { and, eq } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { isFinal } from "../../lib/order-states";
import type { ChainTransfer } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import { heldFor, post, world } from "../ledger/ledger";
import { settleQuote } from "../quotes/quotes";
import { askForDecision } from "./decisions";
import { evaluate, isLate } from "./evaluate";
import { fillOrder } from "./fill";
import { planRefund } from "./plan-payments";
import { type DepositRow, getDeposits, getHeldDeposits } from "./queries";
import { deposits, orders } from "./tables";
import { lockOrder, type OrderRow, recordEvent, touchOrder, transition } from "./transition";

/**
 * Takes note of a transfer to a funding address: once, whoever tells of it how often and in
 * whatever order. Credited when it has its confirmations; what the log says, never what was
 * asked. Runs in the transaction that moves the scanner's cursor.
 *
 * `seenAt` is the time of the deposit where the chain tells none (rule 1).
 */
export async function applyTransfer(
  tx: Database,
  x: ExchangeContext,
  asset: AssetSymbol,
  transfer: ChainTransfer,
  seenAt: Date,
): Promise<void> {
  const [target] = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.sourceAsset, asset), eq(orders.fundingAddress, transfer.address)));
  if (!target) return;
  const order = await lockOrder(tx, target.id);
  const at = await x.clock.now(tx);
  const [known] = await tx
    .select()
    .from(deposits)
    .where(
      and(eq(deposits.asset, asset), eq(deposits.txHash, transfer.txHash), eq(deposits.logIndex, transfer.logIndex)),
    );
  const deposit = known
    ? await updateDeposit(tx, known, transfer, at)
    : await insertDeposit(tx, x, order, transfer, seenAt, at);
  if (!deposit) return;
  const noticed = known && known.status !== "failed" ? order : await noticeDeposit(tx, order, deposit, at);
  if (deposit.status === "pending" && deposit.confirmations >= deposit.requiredConfirmations) {
    await creditDeposit(tx, x, noticed, deposit, at);
  }
}

async function insertDeposit(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  transfer: ChainTransfer,
  seenAt: Date,
  at: Date,
): Promise<DepositRow | null> {
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
      blockTime: transfer.blockTime ?? seenAt,
      amount: transfer.amount,
      confirmations: transfer.confirmations,
      requiredConfirmations: x.chains[order.sourceAsset].requiredConfirmations,
      status: "pending",
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoNothing()
    .returning();
  return row ?? null;
}

/** A credited deposit stays as it was credited; any other follows the chain. Null when nothing is new. */
async function updateDeposit(
  tx: Database,
  known: DepositRow,
  transfer: ChainTransfer,
  at: Date,
): Promise<DepositRow | null> {
  if (known.creditedAt !== null && known.status === "confirmed") return null;
  const same =
    known.status === "pending" &&
    known.confirmations === transfer.confirmations &&
    known.blockHash === transfer.blockHash;
  if (same) return known;
  const [row] = await tx
    .update(deposits)
    .set({
      status: "pending",
      blockHash: transfer.blockHash,
      blockNumber: transfer.blockNumber,
      // A re-included transfer has a new time; where the chain tells none, the first sight stays.
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

/** First sight (or its return after a reorg): the quote is used, the order begins to confirm. */
async function noticeDeposit(tx: Database, order: OrderRow, deposit: DepositRow, at: Date): Promise<OrderRow> {
  const event = {
    kind: "deposit_seen" as const,
    data: { deposit: deposit.id, amount: deposit.amount.toString(), hash: deposit.displayHash },
    at,
  };
  await settleQuote(tx, order.quoteId, "used", at);
  if (order.status === "awaiting_deposit") return transition(tx, order, "confirming", event);
  if (order.status === "needs_decision" && !isLate(order, deposit)) {
    return transition(tx, order, "confirming", event, { decisionReason: null, offerQuoteId: null });
  }
  // Held while its owner was asked: what to ask is looked at anew when it is released.
  if (order.status === "on_hold" && order.heldFrom === "needs_decision" && !isLate(order, deposit)) {
    return recordEvent(tx, order.id, event, { heldFrom: "confirming", decisionReason: null, offerQuoteId: null });
  }
  return recordEvent(tx, order.id, event);
}

async function creditDeposit(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  deposit: DepositRow,
  at: Date,
): Promise<void> {
  await tx
    .update(deposits)
    .set({ status: "confirmed", creditedAt: at, updatedAt: at })
    .where(eq(deposits.id, deposit.id));
  await post(tx, {
    transfers: [{ asset: deposit.asset, from: world, to: heldFor(order.id), amount: deposit.amount, kind: "deposit" }],
    orderId: order.id,
    at,
  });
  const credited = await recordEvent(tx, order.id, {
    kind: "deposit_credited",
    data: { deposit: deposit.id, amount: deposit.amount.toString() },
    at,
  });
  const status = order.status === "on_hold" && order.heldFrom !== null ? order.heldFrom : order.status;
  if (isFinal(status) || status === "paying_out" || status === "refunding") {
    // Money to an order that no longer needs any changes no state: it goes back by itself.
    await planRefund(tx, x, credited, deposit, { amount: deposit.amount, part: "all" }, at);
    return;
  }
  await proceed(tx, x, credited, at);
}

/** Asks `evaluate` what follows from the deposits and does it; the order is locked by the caller. */
export async function proceed(tx: Database, x: ExchangeContext, order: OrderRow, at: Date): Promise<void> {
  if (order.status === "expired" || order.status === "needs_decision") {
    await askForDecision(tx, x, order, "late", at);
    return;
  }
  if (order.status !== "confirming") return;
  const held = await getHeldDeposits(tx, order.id);
  const leftOf = new Map(held.map((deposit) => [deposit.id, deposit.left]));
  const seen = (await getDeposits(tx, order.id)).map((d) => ({
    ...d,
    left: d.status === "confirmed" ? (leftOf.get(d.id) ?? 0n) : d.amount,
  }));
  const verdict = evaluate(order, seen, x.config);
  switch (verdict.kind) {
    case "wait":
      return;
    case "nothing":
      await transition(tx, order, "awaiting_deposit", { kind: "deposit_reorged", at });
      return;
    case "fill":
      try {
        await fillOrder(tx, x, order, { price: verdict.price, deposits: held, at, by: { rate: "locked" } });
      } catch (error) {
        if (!(error instanceof ExchangeError && error.code === "liquidity")) throw error;
        // Its reserve had been given back, and the house is empty: one order must not stop the scan of all.
        await askForDecision(tx, x, order, "payout_failed", at);
      }
      return;
    case "decide":
      await askForDecision(tx, x, order, verdict.reason, at);
  }
}

/** A pending deposit whose transfer is in no block of the canonical chain any more. */
export async function dropDeposit(tx: Database, x: ExchangeContext, depositId: string, orderId: string): Promise<void> {
  const order = await lockOrder(tx, orderId);
  const at = await x.clock.now(tx);
  const rows = await tx
    .update(deposits)
    .set({ status: "failed", confirmations: 0, updatedAt: at })
    .where(and(eq(deposits.id, depositId), eq(deposits.status, "pending")))
    .returning({ id: deposits.id });
  if (rows.length === 0) return;
  const dropped = await recordEvent(tx, order.id, { kind: "deposit_reorged", data: { deposit: depositId }, at });
  // An order that waits for its owner, or has expired, asks about what came; nothing did.
  if (dropped.status === "confirming") await proceed(tx, x, dropped, at);
}
