import { and, eq } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { type DepositRow, deposits } from "../db/schema/deposits";
import { advanceOrder } from "../orders/advance-order";
import { lockOrderRow, recordEvent } from "../orders/transition";

/** Marks a pending deposit as failed after a reorg removed its transfer from the chain. */
export async function dropDeposit(
  tx: Database,
  ctx: ExchangeContext,
  deposit: Pick<DepositRow, "id" | "orderId">,
): Promise<void> {
  const order = await lockOrderRow(tx, deposit.orderId);
  const at = await ctx.clock.now(tx);
  const rows = await tx
    .update(deposits)
    .set({ status: "failed", confirmations: 0, recheckSince: at, updatedAt: at })
    .where(and(eq(deposits.id, deposit.id), eq(deposits.status, "pending")))
    .returning({ id: deposits.id });
  if (rows.length === 0) return;
  const dropped = await recordEvent(tx, order.id, { kind: "deposit_reorged", data: { deposit: deposit.id }, at });
  // In other states the order waits for a decision about credited deposits, and this one was not credited.
  if (dropped.status === "confirming") await advanceOrder(tx, ctx, dropped, at);
}
