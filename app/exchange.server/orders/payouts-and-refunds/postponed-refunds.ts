import { and, asc, eq, notExists, notInArray } from "drizzle-orm";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { orders } from "../../db/schema/orders";
import { payments } from "../../db/schema/payments";
import { attempt } from "../attempt";
import { selectPending } from "../queries";
import { lockOrderRow } from "../transition";
import { endRefunding } from "./refund";

/**
 * Selects the orders that are being refunded without a payment: the cost of their refund was not known, or the deposit for
 * which they waited has left the chain. One that is pending is refunded when it is credited.
 */
export const selectPostponedRefunds = (db: Database) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(
      and(
        eq(orders.status, "refunding"),
        notExists(
          db
            .select({ id: payments.id })
            .from(payments)
            .where(and(eq(payments.orderId, orders.id), notInArray(payments.status, ["confirmed", "failed"]))),
        ),
        notExists(selectPending(db, orders.id)),
      ),
    );

/** Job: plans refunds that had to wait until their cost was known, or ends the orders if it is more than they hold. */
export async function planPostponedRefunds(ctx: ExchangeContext): Promise<void> {
  for (const { id } of await selectPostponedRefunds(ctx.db).orderBy(asc(orders.updatedAt), asc(orders.id)).limit(100)) {
    await attempt(ctx, id, "a refund could not be planned", () =>
      ctx.db.transaction(async (tx) => {
        const order = await lockOrderRow(tx, id);
        if (order.status === "refunding") await endRefunding(tx, ctx, order, await ctx.clock.now(tx));
      }),
    );
  }
}
