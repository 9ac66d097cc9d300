import { and, asc, desc, eq, gt, inArray, like, or, sql } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../../lib/assets";
import type { ExchangeContext } from "../../context";
import type { Database } from "../../db/database";
import { ledgerAccounts } from "../../db/schema/ledger";
import { orders } from "../../db/schema/orders";
import { heldFor } from "../../ledger/ledger";
import { getRefundCost } from "../../pricing/payment-costs";
import { runOrderStep } from "../run-order-step";
import { lockOrderRow } from "../transition";
import { planRefund } from "./plan-refund";
import { isRefundPostponed, statusesWithSetAside } from "./set-aside";

/**
 * How many orders of an asset are handled in one run, starting with those that hold most; the next run handles the
 * rest.
 */
const batch = 100;

/** Set-aside money is refunded if the refund costs at most 1/4 of it, or if its cost is the lowest possible. */
const partOfAmount = 4n;

/**
 * Job: refunds amounts that were set aside when a refund was too expensive, once gas is cheaper. While the cost may
 * fall further, it waits until the refund costs at most a quarter: otherwise most of it would be lost to gas. Amounts
 * whose refund was postponed because the cost was not known are refunded or set aside as soon as it is known.
 */
export async function refundSetAside(ctx: ExchangeContext): Promise<void> {
  for (const asset of assetSymbols) {
    const cost = await getRefundCost(ctx.db, ctx, { asset, at: await ctx.clock.now(ctx.db) });
    if (cost === null) continue;
    const isLeast = cost === ctx.config.refundCost[asset];
    const above = isLeast ? cost : partOfAmount * cost;
    const due = await selectSetAside(ctx.db, { asset, above })
      .orderBy(desc(ledgerAccounts.balance), asc(orders.id))
      .limit(batch);
    for (const { id } of due) {
      await runOrderStep(ctx, { orderId: id, failure: "what is set aside could not be refunded" }, () =>
        refundIfSetAside(ctx, id),
      );
    }
  }
}

/**
 * Selects the orders for which more than `above` is set aside, and those whose refund is postponed. Orders on hold come
 * later.
 */
const selectSetAside = (db: Database, { asset, above }: { asset: AssetSymbol; above: bigint }) =>
  db
    .select({ id: orders.id })
    .from(ledgerAccounts)
    // Uses the primary key, for the few orders that something is held for.
    .innerJoin(orders, eq(orders.id, sql`substr(${ledgerAccounts.code}, ${heldFor("").length + 1})`))
    .where(
      and(
        eq(ledgerAccounts.asset, asset),
        eq(orders.sourceAsset, asset),
        like(ledgerAccounts.code, `${heldFor("")}%`),
        gt(ledgerAccounts.balance, 0n),
        or(gt(ledgerAccounts.balance, above), isRefundPostponed),
        inArray(orders.status, [...statusesWithSetAside]),
      ),
    );

async function refundIfSetAside(ctx: ExchangeContext, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const order = await lockOrderRow(tx, id);
    if (!statusesWithSetAside.some((status) => status === order.status)) return;
    await planRefund(tx, ctx, order, await ctx.clock.now(tx));
  });
}
