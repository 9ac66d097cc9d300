import type { Order } from "~/api/contract";
import { type AssetTotals, Totals } from "~/routes/doger/activity/totals";

/** The totals of these orders. */
export function toTotals(orders: readonly Order[]): AssetTotals[] {
  const totals = new Totals();
  for (const order of orders) totals.add(order);
  return totals.read();
}
