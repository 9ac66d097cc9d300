import { eq } from "drizzle-orm";
import { isFinal } from "../../lib/order-states";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { deposits } from "../db/schema/deposits";
import { external, heldFor, post } from "../ledger/ledger";
import { planRefund } from "../orders/plan-payments";
import { proceed } from "../orders/proceed";
import type { DepositRow } from "../orders/queries";
import { type OrderRow, recordEvent } from "../orders/transition";

/** Credits a confirmed deposit in the ledger, then moves the order on or plans a refund. */
export async function creditDeposit(
  tx: Database,
  ctx: ExchangeContext,
  { order, deposit, at }: { order: OrderRow; deposit: DepositRow; at: Date },
): Promise<void> {
  await tx
    .update(deposits)
    .set({ status: "confirmed", creditedAt: at, updatedAt: at })
    .where(eq(deposits.id, deposit.id));
  await post(tx, {
    transfers: [
      { asset: deposit.asset, from: external, to: heldFor(order.id), amount: deposit.amount, kind: "deposit" },
    ],
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
    // The order is finished or being paid: the deposit is refunded and does not change its state.
    await planRefund(tx, ctx, {
      order: credited,
      depositId: deposit.id,
      amount: deposit.amount,
      part: "all",
      at,
    });
    return;
  }
  await proceed(tx, ctx, credited, at);
}
