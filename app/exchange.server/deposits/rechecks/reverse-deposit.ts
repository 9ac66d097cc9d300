import { and, eq, isNotNull, isNull, ne, or } from "drizzle-orm";
import { formatAmount } from "../../../lib/money";
import { clearAlert, hasAlert, raiseAlert } from "../../alerts/alerts";
import type { ChainTransfer } from "../../chains/gateway";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { deposits } from "../../db/schema/deposits";
import { payments, refundedDeposits } from "../../db/schema/payments";
import { ExchangeError } from "../../errors";
import { external, heldFor, post, type Transfer, treasury } from "../../ledger/ledger";
import { returnFees } from "../../ledger/return-fees";
import { evaluateWithoutDeposit } from "../../orders/evaluate-again";
import type { OrderEvent } from "../../orders/order-event";
import { isLate } from "../../orders/payment-deadline";
import { toUndoneFill } from "../../orders/payouts-and-refunds/fill";
import { mayHaveBeenMade } from "../../orders/payouts-and-refunds/may-have-been-made";
import { withdrawPlanned } from "../../orders/payouts-and-refunds/plan-payments";
import { toUndoneRefund } from "../../orders/payouts-and-refunds/plan-refund";
import {
  type DepositRow,
  getHeldAmount,
  getHeldDeposits,
  type PaymentRow,
  takeFromLatest,
  toCredited,
} from "../../orders/queries";
import { lockOrderRow, type OrderRow, recordEvent } from "../../orders/transition";
import { switchOff } from "../../switches/switches";
import { reportDropped } from "./dropped-deposits";

/** `found` is the transfer in its new block, if it pays the order's address there; null if it is not in a block. */
type Gone = { deposit: DepositRow; found: ChainTransfer | null };

/** What `reverseDeposit` has done. `waits`: nothing, and payments of the order have to wait. */
export type Reversal = "reversed" | "waits" | "unchanged";

/**
 * Takes back a credited deposit that a reorganisation removed from its block, and undoes what was only planned with it:
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
  for (const payment of planned)
    await withdrawPlanned(tx, payment, { reason: "a reorganisation removed the deposit", at });
  const { held: amount } = await divide(tx, order, { deposit: current, withdrawn: planned });
  const lost = toCredited(current) - amount;
  await bookReversal(tx, order, { deposit: current, undone: toUndone(order, planned), amount, at });
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

/**
 * Whether something was paid with a deposit, or is signed. `perhaps`: our wallet may have made a payment that is only
 * planned, before a backup was restored.
 */
type Paid = "no" | "perhaps" | "yes";

/**
 * The payments that use the credited part of a deposit: its refunds, and the order's payout if a part of the deposit
 * was swapped for it. `planned` can be withdrawn; `paid` describes the others.
 */
async function getDependentPayments(
  tx: Database,
  order: OrderRow,
  deposit: DepositRow,
): Promise<{ planned: PaymentRow[]; paid: Paid }> {
  const { refunds, payouts } = await listPayments(tx, deposit);
  const withdrawn = await selectWithdrawable(tx, refunds);
  const { held, left } = await divide(tx, order, { deposit, withdrawn });
  const swapped = held < left ? payouts : [];
  const planned = [...withdrawn, ...(await selectWithdrawable(tx, swapped))];
  const others = [...refunds, ...swapped].filter(({ id }) => planned.every((payment) => payment.id !== id));
  if (others.length === 0) return { planned, paid: "no" };
  return { planned, paid: others.some(({ status }) => status === "planned") ? "perhaps" : "yes" };
}

/** The refunds of a deposit and the payout of its order that have not failed. */
async function listPayments(
  tx: Database,
  { id, orderId }: DepositRow,
): Promise<{ refunds: PaymentRow[]; payouts: PaymentRow[] }> {
  const isOfDeposit = and(eq(refundedDeposits.paymentId, payments.id), eq(refundedDeposits.depositId, id));
  const rows = await tx
    .select({ payment: payments })
    .from(payments)
    .leftJoin(refundedDeposits, isOfDeposit)
    .where(
      and(
        eq(payments.orderId, orderId),
        ne(payments.status, "failed"),
        or(eq(payments.purpose, "payout"), isNotNull(refundedDeposits.depositId)),
      ),
    );
  const select = (wanted: PaymentRow["purpose"]) =>
    rows.flatMap(({ payment }) => (payment.purpose === wanted ? [payment] : []));
  return { refunds: select("refund"), payouts: select("payout") };
}

/** The payments for which nothing is signed, and that the wallet cannot have made before a backup was restored. */
async function selectWithdrawable(tx: Database, rows: PaymentRow[]): Promise<PaymentRow[]> {
  const withdrawable: PaymentRow[] = [];
  for (const payment of rows)
    if (payment.status === "planned" && !(await mayHaveBeenMade(tx, payment.id))) withdrawable.push(payment);
  return withdrawable;
}

/** The transfers that reverse the postings of planned payments. */
const toUndone = (order: OrderRow, planned: PaymentRow[]): Transfer[] =>
  planned.flatMap((payment) => (payment.purpose === "refund" ? toUndoneRefund(payment) : toUndoneFill(order)));

/**
 * Divides what is credited of a deposit, once the payments `withdrawn` are undone: `left` is what is not refunded, of
 * which `held` is held for the order, and the rest was swapped. What was credited last is held: a payout was made from
 * what was credited before.
 */
async function divide(
  tx: Database,
  order: OrderRow,
  { deposit, withdrawn }: { deposit: DepositRow; withdrawn: PaymentRow[] },
): Promise<{ left: bigint; held: bigint }> {
  const returned = toUndone(order, withdrawn).filter(({ to }) => to === heldFor(order.id));
  const amount = returned.reduce((sum, transfer) => sum + transfer.amount, await getHeldAmount(tx, order));
  const all = await getHeldDeposits(tx, order.id, { withdrawn });
  const part = takeFromLatest(all, amount).find(({ depositId }) => depositId === deposit.id);
  return { left: all.find(({ id }) => id === deposit.id)?.left ?? 0n, held: part?.amount ?? 0n };
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

/** No part of the deposit is credited any more. */
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

const toText = (amount: bigint, { asset }: DepositRow) => `${formatAmount(amount, asset)} ${asset}`;

/**
 * The deposit was paid out and is in another block now. Each scan looks it up again until it is deep enough or gone.
 */
async function awaitConfirmations(
  tx: Database,
  ctx: ExchangeContext,
  deposit: DepositRow,
  { found, paid, at }: { found: ChainTransfer; paid: Paid; at: Date },
): Promise<void> {
  const { id, orderId, amount, missingSince, writtenOffAt, recheckSince } = deposit;
  if (recheckSince === null) await tx.update(deposits).set({ recheckSince: at }).where(eq(deposits.id, id));
  if (missingSince === null || writtenOffAt !== null) return;
  const which = paid === "perhaps" ? "that may have been paid out already" : "after it was paid out";
  const reason = `A reorganisation removed a deposit of ${toText(amount, deposit)} ${which}. It is in block ${found.blockNumber} now.`;
  const action = "Wait until it has its confirmations there.";
  await raiseAlert(tx, ctx, { subject: `deposit:${id}`, orderId, reason, action, at });
}

/**
 * Records how much of a missing deposit is lost, and alerts an operator. The alert also says so when a payment that may
 * have been made turns out to have been made. Stops new swaps if the deposit was not missing before.
 */
async function reportLoss(
  tx: Database,
  ctx: ExchangeContext,
  deposit: DepositRow,
  { lost, paid, at }: { lost: bigint; paid: Paid; at: Date },
): Promise<void> {
  const { id, orderId, missingSince, lostAmount, writtenOffAt, recheckSince } = deposit;
  const subject = `deposit:${id}` as const;
  const { reason, action } = describeLoss(deposit, lost, paid);
  const otherwise = describeLoss(deposit, lost, paid === "perhaps" ? "yes" : "perhaps");
  const isKnown = missingSince !== null && lostAmount === lost && recheckSince === null;
  if (isKnown && !(await hasAlert(tx, subject, otherwise.action))) return;
  await tx
    .update(deposits)
    .set({ missingSince: missingSince ?? at, lostAmount: lost, recheckSince: null, updatedAt: at })
    .where(eq(deposits.id, id));
  if (writtenOffAt !== null) return clearAlert(tx, subject);
  await raiseAlert(tx, ctx, { subject, orderId, reason, action, at });
  if (missingSince !== null) return;
  const resume = 'Once it is back or written off, run "operate on swaps".';
  await switchOff(tx, "swaps", { cause: subject, reason: `${reason} ${resume}`, at });
}

/** What is known about the loss of a deposit, and what the operator should do about it. */
function describeLoss(deposit: DepositRow, lost: bigint, paid: Paid): { reason: string; action: string } {
  const part = lost === deposit.amount ? "that" : `of which ${toText(lost, deposit)}`;
  const removed = `A reorganisation removed a deposit of ${toText(deposit.amount, deposit)} ${part}`;
  const writeOff = `follow "Write off a deposit" in docs/operating.md: "operate write-off ${deposit.id}".`;
  if (paid !== "perhaps")
    return { reason: `${removed} was already paid out.`, action: `If it cannot come back, ${writeOff}` };
  return {
    reason: `${removed} may have been paid out already: our wallet has made a payment that this database does not know.`,
    action: `First deal with the alert about the unknown payment. If that payment was for something else, nothing is lost. If it was made with this deposit, and the deposit cannot come back, ${writeOff}`,
  };
}

/**
 * Books the loss of a deposit that a reorganisation removed: what was paid out of it. The exchange keeps looking for
 * it: if it comes back, or a payment made with it fails after all, that is undone.
 * @returns the id of its order
 * @throws ExchangeError not_found, or conflict if the deposit is not such a loss, or is in a block again;
 *   InsufficientBalanceError
 */
export async function writeOffDeposit(tx: Database, ctx: ExchangeContext, depositId: string): Promise<string> {
  const [found] = await tx.select({ orderId: deposits.orderId }).from(deposits).where(eq(deposits.id, depositId));
  if (!found) throw new ExchangeError("not_found");
  const { id: orderId } = await lockOrderRow(tx, found.orderId);
  const at = await ctx.clock.now(tx);
  const isLoss = and(
    eq(deposits.id, depositId),
    eq(deposits.status, "confirmed"),
    isNotNull(deposits.missingSince),
    isNull(deposits.writtenOffAt),
    isNull(deposits.recheckSince),
  );
  const [lost] = await tx.update(deposits).set({ writtenOffAt: at, updatedAt: at }).where(isLoss).returning();
  if (!lost) throw new ExchangeError("conflict");
  const { asset } = lost;
  const transfers = [{ asset, from: treasury, to: external, amount: toCredited(lost), kind: "write_off" as const }];
  await post(tx, { transfers, orderId, at });
  await recordEvent(tx, orderId, { kind: "deposit_written_off", data: { deposit: depositId }, at });
  await clearAlert(tx, `deposit:${depositId}`);
  return orderId;
}
