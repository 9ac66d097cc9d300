import { and, eq, inArray } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { type DepositRow, deposits } from "../db/schema/deposits";
import type { OrderRow } from "../db/schema/orders";
import { external, heldFor, post } from "../ledger/ledger";
import { advanceOrder } from "../orders/advance-order";
import { refundsDeposits } from "../orders/evaluate-again";
import { planRefund } from "../orders/payouts-and-refunds/plan-refund";
import { recordEvent } from "../orders/transition";

/** Credits confirmed deposits of an order in the ledger, then moves the order on or plans their refund. */
export async function creditDeposits(
  tx: Database,
  ctx: ExchangeContext,
  { order, rows, at }: { order: OrderRow; rows: DepositRow[]; at: Date },
): Promise<void> {
  const asset = order.sourceAsset;
  // Books only the deposits that this update confirmed, so that none is booked twice.
  const confirmed = await tx
    .update(deposits)
    .set({ status: "confirmed", creditedAt: at, updatedAt: at })
    .where(
      and(
        eq(deposits.status, "pending"),
        inArray(
          deposits.id,
          rows.map(({ id }) => id),
        ),
      ),
    )
    .returning({ id: deposits.id, amount: deposits.amount });
  const ids = confirmed.map(({ id }) => id);
  const amount = confirmed.reduce((sum, row) => sum + row.amount, 0n);
  await post(tx, {
    transfers: [{ asset, from: external, to: heldFor(order.id), amount, kind: "deposit" }],
    orderId: order.id,
    at,
  });
  const credited = await recordEvent(tx, order.id, {
    kind: "deposit_credited",
    data: { deposits: ids, amount: amount.toString() },
    at,
  });
  if (refundsDeposits(order)) {
    await planRefund(tx, ctx, credited, at);
    return;
  }
  await advanceOrder(tx, ctx, credited, at);
}
