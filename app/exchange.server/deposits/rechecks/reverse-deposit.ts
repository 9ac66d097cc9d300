import { eq } from "drizzle-orm";
import { clearAlert } from "../../alerts/alerts";
import type { ChainTransfer } from "../../chains/gateway";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { type DepositRow, deposits } from "../../db/schema/deposits";
import type { OrderRow } from "../../db/schema/orders";
import { returnFees } from "../../ledger/fee-postings";
import { external, heldFor, type Transfer, treasury } from "../../ledger/ledger";
import { evaluateWithoutDeposit } from "../../orders/evaluate-again";
import { toCredited } from "../../orders/held-deposits";
import type { OrderEvent } from "../../orders/order-event";
import { isLate } from "../../orders/payment-deadline";
import { withdrawPlanned } from "../../orders/payouts-and-refunds/plan-payments";
import { lockOrderRow, recordEvent } from "../../orders/transition";
import { divideCredited, getDependentPayments, toUndonePayments } from "./dependent-payments";
import { reportDropped } from "./dropped-deposits";
import { awaitConfirmations, reportLoss } from "./lost-deposits";

/** `found` is the transfer in its new block, if it pays the order's address there; null if it is not in a block. */
type Gone = { deposit: DepositRow; found: ChainTransfer | null };

/** What `reverseDeposit` has done. `waits`: nothing, and payments of the order have to wait. */
export type Reversal = "reversed" | "waits" | "unchanged";

/**
 * Takes back a credited deposit that a reorg removed from its block, and undoes what was only planned with it:
 * the fill and its payout, and the refunds of the deposit. Other deposits in such a refund are refunded again.
 *
 * What was paid out of it, or is signed, cannot be undone. That part is lost: it stays credited until the deposit is
 * back, new swaps stop, and an operator is alerted. If a signed payment fails later, the next call undoes it too.
 *
 * A deposit that is in another block has to wait for its confirmations there. If a payment is signed, the deposit stays
 * credited in the meantime, and the order's other payments wait.
 */
export async function reverseDeposit(tx: Database, ctx: ExchangeContext, { deposit, found }: Gone): Promise<Reversal> {
  const order = await lockOrderRow(tx, deposit.orderId);
  const at = await ctx.clock.now(tx);
  const [current] = await tx.select().from(deposits).where(eq(deposits.id, deposit.id));
  // Another process has updated it in the meantime.
  if (current?.status !== "confirmed" || current.blockHash !== deposit.blockHash) return "reversed";
  const { planned, paid } = await getDependentPayments(tx, order, current);
  if (found?.amount === current.amount && paid !== "no") {
    await awaitConfirmations(tx, ctx, current, { found, paid, at });
    return current.missingSince === null || planned.length > 0 ? "waits" : "unchanged";
  }
  for (const payment of planned) await withdrawPlanned(tx, payment, { reason: "a reorg removed the deposit", at });
  const { held: amount } = await divideCredited(tx, order, { deposit: current, withdrawn: planned });
  const lost = toCredited(current) - amount;
  await bookReversal(tx, order, { deposit: current, undone: toUndonePayments(order, planned), amount, at });
  if (lost === 0n) await markReversed(tx, ctx, { deposit: current, found }, at);
  else await reportLoss(tx, ctx, current, { lost, paid, at });
  const isReported = current.missingSince !== null;
  const isChanged = planned.length > 0 || amount > 0n;
  if (!isChanged && isReported) return "unchanged";
  const event: OrderEvent = {
    kind: "deposit_reorged",
    data: { deposit: current.id, ...(lost > 0n && { paid: true as const }) },
    at,
  };
  if (!isChanged) {
    await recordEvent(tx, order.id, event);
    return "unchanged";
  }
  const hadPayout = planned.some(({ purpose }) => purpose === "payout");
  const isExpected =
    lost === 0n && found !== null && !isLate(order, { blockTime: found.blockTime ?? current.blockTime });
  await evaluateWithoutDeposit(tx, ctx, { order, event, hadPayout, isExpected });
  return "reversed";
}

type ReversedPart = { deposit: DepositRow; undone: Transfer[]; amount: bigint; at: Date };

/**
 * Posts that `amount` of a deposit was never received. If its loss was already written off, the write-off is undone for
 * this amount.
 */
async function bookReversal(
  tx: Database,
  order: OrderRow,
  { deposit: { asset, writtenOffAt }, undone, amount, at }: ReversedPart,
): Promise<void> {
  const transfers: Transfer[] = [
    ...undone,
    { asset, from: heldFor(order.id), to: external, amount, kind: "deposit_reorged" },
  ];
  if (writtenOffAt !== null) transfers.push({ asset, from: external, to: treasury, amount, kind: "write_off_undone" });
  // Together, so that `external` is locked first.
  await returnFees(tx, { transfers, orderId: order.id, at });
}

/** The deposit is no longer credited, not even in part. */
async function markReversed(tx: Database, ctx: ExchangeContext, { deposit, found }: Gone, at: Date): Promise<void> {
  const { id, blockTime, requiredConfirmations } = deposit;
  await tx
    .update(deposits)
    .set({
      creditedAt: null,
      missingSince: null,
      lostAmount: null,
      writtenOffAt: null,
      recheckSince: null,
      updatedAt: at,
      ...(found
        ? {
            status: "pending" as const,
            blockHash: found.blockHash,
            blockNumber: found.blockNumber,
            blockLogIndex: found.blockLogIndex,
            blockTime: found.blockTime ?? blockTime,
            amount: found.amount,
            confirmations: Math.min(found.confirmations, requiredConfirmations - 1),
          }
        : { status: "failed" as const, confirmations: 0, recheckSince: at }),
    })
    .where(eq(deposits.id, id));
  await clearAlert(tx, `deposit:${id}`);
  if (found === null) await reportDropped(tx, ctx, deposit, at);
}
