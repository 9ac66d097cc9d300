import { and, eq, exists, isNotNull, isNull, ne, or } from "drizzle-orm";
import { formatAmount } from "../../lib/money";
import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { ChainTransfer } from "../chains/gateway";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { deposits } from "../db/schema/deposits";
import { payments, refundedDeposits } from "../db/schema/payments";
import { ExchangeError } from "../errors";
import { external, heldFor, post, treasury } from "../ledger/ledger";
import { returnFees } from "../ledger/return-fees";
import { voidOffers } from "../pricing/quotes";
import { switchOff } from "../switches/switches";
import { advanceOrder } from "./advance-order";
import { retakeReserve, toUndoneFill } from "./fill";
import type { OrderEvent } from "./order-event";
import { refundHeld, toUndoneRefund, withdrawPlanned } from "./plan-payments";
import { type DepositRow, getHeldDeposits, hasOpenPayments, listConfirmedRefunds, type PaymentRow } from "./queries";
import { endRefunding } from "./refund";
import { lockOrderRow, type OrderRow, recordEvent, transition } from "./transition";

/**
 * Takes back a credited deposit that a reorg removed from its block. What was planned with it is undone: the fill and
 * its payout, and the refunds of the deposit. Other deposits in such a refund are refunded again. `found` is the
 * transfer in its new block, where it has to wait for its confirmations again; null if it is in no block.
 *
 * If a payment that depends on it was already signed, nothing can be undone. Then the deposit stays
 * credited, new swaps stop, and an operator is alerted.
 */
export async function reverseDeposit(
  tx: Database,
  ctx: ExchangeContext,
  { deposit, found }: { deposit: DepositRow; found: ChainTransfer | null },
): Promise<void> {
  const order = await lockOrderRow(tx, deposit.orderId);
  const at = await ctx.clock.now(tx);
  const [current] = await tx.select().from(deposits).where(eq(deposits.id, deposit.id));
  // Another process has updated it in the meantime.
  if (current?.status !== "confirmed" || current.blockHash !== deposit.blockHash || current.writtenOffAt !== null)
    return;
  const dependent = await getDependentPayments(tx, order, current);
  if (dependent.some(({ status }) => status !== "planned")) {
    await reportLoss(tx, ctx, current, at);
    return;
  }
  for (const payment of dependent) await withdrawPlanned(tx, payment, { reason: "a reorg removed the deposit", at });
  const { asset, amount } = current;
  // Together, so that `external` is locked first.
  await returnFees(tx, {
    transfers: [
      ...dependent.flatMap((payment) => (payment.purpose === "refund" ? toUndoneRefund(payment) : toUndoneFill(order))),
      { asset, from: heldFor(order.id), to: external, amount, kind: "deposit_reorged" },
    ],
    orderId: order.id,
    at,
  });
  await tx
    .update(deposits)
    .set({
      creditedAt: null,
      missingSince: null,
      recheckSince: null,
      updatedAt: at,
      ...(found
        ? {
            status: "pending" as const,
            blockHash: found.blockHash,
            blockNumber: found.blockNumber,
            blockLogIndex: found.blockLogIndex,
            blockTime: found.blockTime ?? current.blockTime,
            amount: found.amount,
            confirmations: Math.min(found.confirmations, current.requiredConfirmations - 1),
          }
        : { status: "failed" as const, confirmations: 0 }),
    })
    .where(eq(deposits.id, current.id));
  await clearAlert(tx, `deposit:${current.id}`);
  const hadPayout = dependent.some(({ purpose }) => purpose === "payout");
  const event: OrderEvent = { kind: "deposit_reorged", data: { deposit: current.id }, at };
  await evaluateWithoutDeposit(tx, ctx, { order, event, hadPayout });
}

/**
 * The payments that would be made with the deposit's money: the order's payout, and refunds of it. A payout that is
 * signed does not depend on a deposit that came in addition to what it was made for.
 */
async function getDependentPayments(tx: Database, order: OrderRow, deposit: DepositRow): Promise<PaymentRow[]> {
  const rows = await tx
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.orderId, deposit.orderId),
        ne(payments.status, "failed"),
        or(
          eq(payments.purpose, "payout"),
          exists(
            tx
              .select()
              .from(refundedDeposits)
              .where(and(eq(refundedDeposits.paymentId, payments.id), eq(refundedDeposits.depositId, deposit.id))),
          ),
        ),
      ),
    );
  const isSignedPayout = ({ purpose, status }: PaymentRow) => purpose === "payout" && status !== "planned";
  if (!rows.some(isSignedPayout) || !(await isFilledWithout(tx, order, deposit))) return rows;
  return rows.filter((payment) => !isSignedPayout(payment));
}

/**
 * Whether the other deposits of an order, as far as they are neither gone nor refunded, are all that it has swapped.
 */
async function isFilledWithout(tx: Database, order: OrderRow, deposit: DepositRow): Promise<boolean> {
  if (order.filledSource === null) return false;
  const others = (await getHeldDeposits(tx, order.id)).filter(
    ({ id, missingSince }) => id !== deposit.id && missingSince === null,
  );
  return others.reduce((sum, { left }) => sum + left, 0n) >= order.filledSource;
}

type Reopening = { order: OrderRow; event: OrderEvent; hadPayout: boolean };

/** Evaluates the order again, without the deposit that `event` names. */
async function evaluateWithoutDeposit(tx: Database, ctx: ExchangeContext, reopening: Reopening): Promise<void> {
  const { order, event, hadPayout } = reopening;
  switch (order.status) {
    case "on_hold":
      return reopenHeld(tx, ctx, reopening);
    case "refunding":
      return reopenRefunding(tx, ctx, reopening);
    case "paying_out":
      if (hadPayout) return confirmAgain(tx, ctx, reopening);
      await refundHeld(tx, ctx, await recordEvent(tx, order.id, event), event.at);
      return;
    case "needs_decision":
      return confirmAgain(tx, ctx, reopening);
    case "confirming":
      return advanceOrder(tx, ctx, await recordEvent(tx, order.id, event), event.at);
    case "completed":
    case "refunded":
    case "cancelled":
      await refundHeld(tx, ctx, await recordEvent(tx, order.id, event), event.at);
      return;
    case "awaiting_deposit":
    case "expired":
      await recordEvent(tx, order.id, event);
  }
}

/** Columns of an order that is not filled. */
const notFilled = {
  filledSource: null,
  filledTarget: null,
  filledFee: null,
  filledRate: null,
  decisionChoice: null,
  decidedBy: null,
};

/** Columns of an order that waits for no decision. */
const notAsking = { decisionReason: null, offerQuoteId: null };

/** An order on hold stays on hold; what changes is the state to which it returns. */
async function reopenHeld(tx: Database, ctx: ExchangeContext, { order, event, hadPayout }: Reopening): Promise<void> {
  const isRefunding = order.heldFrom === "refunding" && (await isStillRefunded(tx, ctx, order, event.at));
  const heldFrom = isRefunding ? "refunding" : "confirming";
  await recordEvent(tx, order.id, { ...event, set: { ...(hadPayout && notFilled), ...notAsking, heldFrom } });
}

/** An order that is being refunded stays so while something is left to refund. */
async function reopenRefunding(tx: Database, ctx: ExchangeContext, { order, event }: Reopening): Promise<void> {
  const left = await recordEvent(tx, order.id, event);
  const held = await refundHeld(tx, ctx, left, event.at);
  await endRefunding(tx, ctx, left, event.at, held);
}

/** An order that had enough deposits, or whose owner was asked, waits for its deposits again. */
async function confirmAgain(tx: Database, ctx: ExchangeContext, { order, event, hadPayout }: Reopening): Promise<void> {
  const { at } = event;
  await voidOffers(tx, order, at);
  const set = { ...(hadPayout && notFilled), ...notAsking };
  const confirming = await transition(tx, order, "confirming", { ...event, set });
  if (hadPayout) await retakeReserve(tx, ctx, confirming, at);
  await advanceOrder(tx, ctx, confirming, at);
}

/**
 * Plans the refund of the other deposits again, because the withdrawn refund also returned them.
 * @returns whether a refund of the order is on its way, was made, or is only postponed
 */
async function isStillRefunded(tx: Database, ctx: ExchangeContext, order: OrderRow, at: Date): Promise<boolean> {
  const held = await refundHeld(tx, ctx, order, at);
  if (held === "planned" || held === "postponed" || (await hasOpenPayments(tx, order.id))) return true;
  return (await listConfirmedRefunds(tx, order.id)).length > 0;
}

async function reportLoss(tx: Database, ctx: ExchangeContext, deposit: DepositRow, at: Date): Promise<void> {
  const { id, orderId, asset, amount } = deposit;
  if (deposit.missingSince !== null) return;
  await tx.update(deposits).set({ missingSince: at, recheckSince: null, updatedAt: at }).where(eq(deposits.id, id));
  await recordEvent(tx, orderId, { kind: "deposit_reorged", data: { deposit: id, paid: true }, at });
  const reason = `A reorg removed a deposit of ${formatAmount(amount, asset)} ${asset} that was already paid out.`;
  const action = `If it cannot come back, follow "Write off a deposit" in docs/operating.md: "operate write-off ${id}".`;
  const subject = `deposit:${id}` as const;
  await raiseAlert(tx, ctx, { subject, orderId, reason, action, at });
  const resume = 'Once it is back or written off, run "operate on swaps".';
  await switchOff(tx, "swaps", { cause: subject, reason: `${reason} ${resume}`, at });
}

/**
 * Books the loss of a deposit that a reorg removed after it was paid out. The exchange keeps looking for it: if it
 * comes back, the loss is undone.
 * @throws ExchangeError not_found, or conflict if the deposit is not such a loss; InsufficientBalanceError
 */
export async function writeOffDeposit(tx: Database, ctx: ExchangeContext, depositId: string): Promise<void> {
  const [found] = await tx.select({ orderId: deposits.orderId }).from(deposits).where(eq(deposits.id, depositId));
  if (!found) throw new ExchangeError("not_found");
  const order = await lockOrderRow(tx, found.orderId);
  const { id: orderId } = order;
  const at = await ctx.clock.now(tx);
  const isLoss = and(
    eq(deposits.id, depositId),
    eq(deposits.status, "confirmed"),
    isNotNull(deposits.missingSince),
    isNull(deposits.writtenOffAt),
  );
  const [lost] = await tx.update(deposits).set({ writtenOffAt: at, updatedAt: at }).where(isLoss).returning();
  if (!lost) throw new ExchangeError("conflict");
  const dependent = await getDependentPayments(tx, order, lost);
  // A payment that is not final may still fail. Then the next look-up undoes what was planned with the deposit.
  if (!dependent.some(({ status }) => status === "confirmed")) throw new ExchangeError("conflict");
  const { asset, amount } = lost;
  const transfers = [{ asset, from: treasury, to: external, amount, kind: "write_off" as const }];
  await post(tx, { transfers, orderId, at });
  await recordEvent(tx, orderId, { kind: "deposit_written_off", data: { deposit: depositId }, at });
  await clearAlert(tx, `deposit:${depositId}`);
}
