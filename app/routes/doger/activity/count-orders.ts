import type { ApiClient } from "~/api/client";
import type { OrderTotals } from "~/api/contract";
import { type AssetTotals, Totals } from "./totals";

/** Limits how long the page takes to load. */
const maxCounted = 2_000;

export type OrderCount = {
  totals: AssetTotals[];
  orders: number;
  /** Whether there are more orders than were counted. */
  capped: boolean;
};

/** The totals in the API's response. */
export function toOrderCount({ totals, ...count }: OrderTotals): OrderCount {
  return { ...count, totals: totals.map(({ asset_symbol: asset, ...sums }) => ({ asset, ...sums })) };
}

/**
 * The totals of the caller's newest orders, at most `limit`. For an exchange whose response does not include totals.
 */
export async function countOrders(api: Pick<ApiClient, "walkOrders">, limit = maxCounted): Promise<OrderCount> {
  const totals = new Totals();
  let counted = 0;
  for await (const orders of api.walkOrders()) {
    for (const order of orders) {
      if (counted === limit) return { totals: totals.read(), orders: counted, capped: true };
      totals.add(order);
      counted += 1;
    }
  }
  return { totals: totals.read(), orders: counted, capped: false };
}
