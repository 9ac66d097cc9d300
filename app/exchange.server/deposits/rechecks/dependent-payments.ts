import { and, eq, isNotNull, or } from "drizzle-orm";
import type { Database } from "../../db/database";
import type { DepositRow } from "../../db/schema/deposits";
import type { OrderRow } from "../../db/schema/orders";
import { hasNotFailed, type PaymentRow, payments, refundedDeposits } from "../../db/schema/payments";
import { heldFor, type Transfer } from "../../ledger/ledger";
import { getHeldAmount, getHeldDeposits, takeFromLatest } from "../../orders/held-deposits";
import { toUndoneFill } from "../../orders/payouts-and-refunds/fill";
import { mayHaveBeenMade } from "../../orders/payouts-and-refunds/may-have-been-made";
import { toUndoneRefund } from "../../orders/payouts-and-refunds/plan-refund";

/**
 * Whether something was paid with a deposit, or is signed. `perhaps`: our wallet may have made a payment that is only
 * planned, before a backup was restored.
 */
export type Paid = "no" | "perhaps" | "yes";

/**
 * The payments that use the credited part of a deposit: its refunds, and the order's payout if a part of the deposit
 * was swapped for it. `planned` can be withdrawn; `paid` describes the others.
 */
export async function getDependentPayments(
  tx: Database,
  order: OrderRow,
  deposit: DepositRow,
): Promise<{ planned: PaymentRow[]; paid: Paid }> {
  const { refunds, payouts } = await listPayments(tx, deposit);
  const withdrawn = await selectWithdrawable(tx, refunds);
  const { held, left } = await divideCredited(tx, order, { deposit, withdrawn });
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
        hasNotFailed,
        or(eq(payments.purpose, "payout"), isNotNull(refundedDeposits.depositId)),
      ),
    );
  const select = (wanted: PaymentRow["purpose"]) =>
    rows.flatMap(({ payment }) => (payment.purpose === wanted ? [payment] : []));
  return { refunds: select("refund"), payouts: select("payout") };
}

/** The payments that are not signed, and that the wallet cannot have made before a backup was restored. */
async function selectWithdrawable(tx: Database, rows: PaymentRow[]): Promise<PaymentRow[]> {
  const withdrawable: PaymentRow[] = [];
  for (const payment of rows)
    if (payment.status === "planned" && !(await mayHaveBeenMade(tx, payment.id))) withdrawable.push(payment);
  return withdrawable;
}

/** The transfers that reverse the postings of planned payments of an order. */
export const toUndonePayments = (order: OrderRow, planned: PaymentRow[]): Transfer[] =>
  planned.flatMap((payment) => (payment.purpose === "refund" ? toUndoneRefund(payment) : toUndoneFill(order)));

/**
 * Divides the credited part of a deposit, as it is after the payments `withdrawn` are undone: `left` is the part that
 * is not refunded. Of that, `held` is held for the order, and the rest was swapped. The deposits that were credited
 * last are held, because a payout was made from the earlier ones.
 */
export async function divideCredited(
  tx: Database,
  order: OrderRow,
  { deposit, withdrawn }: { deposit: DepositRow; withdrawn: PaymentRow[] },
): Promise<{ left: bigint; held: bigint }> {
  const returned = toUndonePayments(order, withdrawn).filter(({ to }) => to === heldFor(order.id));
  const amount = returned.reduce((sum, transfer) => sum + transfer.amount, await getHeldAmount(tx, order));
  const all = await getHeldDeposits(tx, order.id, { withdrawn });
  const part = takeFromLatest(all, amount).find(({ depositId }) => depositId === deposit.id);
  return { left: all.find(({ id }) => id === deposit.id)?.left ?? 0n, held: part?.amount ?? 0n };
}
