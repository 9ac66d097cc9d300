import { and, asc, eq, exists, gt, notExists, or, sql } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../../lib/assets";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { ledgerAccounts } from "../../db/schema/ledger";
import { orders } from "../../db/schema/orders";
import { isOpenPayment, payments } from "../../db/schema/payments";
import { getRefundCost } from "../../pricing/payment-costs";
import { selectPending } from "../queries";
import { runOrderStep } from "../run-order-step";
import { lockOrderRow } from "../transition";
import { endRefunding } from "./refund";
import { isHeldForOrder } from "./set-aside";

/**
 * Selects the orders that are being refunded but have no open payment, because the cost of their refund was not known,
 * or because the deposit that they waited for has left the chain.
 *
 * While a deposit is pending, it selects only those that hold more than a refund costs (`costs`, null if not known).
 * That amount is due, even if the deposit is never credited. If the deposit is credited, it is refunded too. The other
 * orders wait for the deposit, because they have nothing to refund without it: each run would only record again that
 * the amount is kept.
 */
export const selectPostponedRefunds = (db: Database, costs: Record<AssetSymbol, bigint | null>) =>
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
            .where(and(eq(payments.orderId, orders.id), isOpenPayment)),
        ),
        or(
          notExists(selectPending(db, orders.id)),
          ...assetSymbols.map((asset) => holdsMoreThan(db, asset, costs[asset])),
        ),
      ),
    );

function holdsMoreThan(db: Database, asset: AssetSymbol, cost: bigint | null) {
  if (cost === null) return undefined;
  const held = db
    .select({ one: sql`1` })
    .from(ledgerAccounts)
    .where(and(isHeldForOrder, gt(ledgerAccounts.balance, cost)));
  return and(eq(orders.sourceAsset, asset), exists(held));
}

/** Job: plans refunds that had to wait until their cost was known, or ends the orders if it is more than they hold. */
export async function planPostponedRefunds(ctx: ExchangeContext): Promise<void> {
  const { db } = ctx;
  const at = await ctx.clock.now(db);
  const costs = {
    USDT: await getRefundCost(db, ctx, { asset: "USDT", at }),
    MOB: await getRefundCost(db, ctx, { asset: "MOB", at }),
  };
  const due = await selectPostponedRefunds(db, costs).orderBy(asc(orders.updatedAt), asc(orders.id)).limit(100);
  for (const { id } of due) {
    await runOrderStep(ctx, { orderId: id, failure: "a refund could not be planned" }, () =>
      db.transaction(async (tx) => {
        const order = await lockOrderRow(tx, id);
        if (order.status === "refunding") await endRefunding(tx, ctx, order, { at: await ctx.clock.now(tx) });
      }),
    );
  }
}
