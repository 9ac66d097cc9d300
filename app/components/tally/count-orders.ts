import type { ApiClient } from "~/api/client";
import { type AssetTotals, Totals } from "./totals";
import { walkOrders } from "./walk-orders";

/** A page is made while somebody waits: beyond this many orders it says that it stopped counting. */
export const mostCounted = 2_000;

export type Count = { totals: AssetTotals[]; orders: number /** There are more than were counted. */; capped: boolean };

/** The totals over all orders of the caller, or over the newest `most`. */
export async function countOrders(api: Pick<ApiClient, "listOrders">, most = mostCounted): Promise<Count> {
  const totals = new Totals();
  let counted = 0;
  for await (const orders of walkOrders(api)) {
    for (const order of orders) {
      if (counted === most) return { totals: totals.read(), orders: counted, capped: true };
      totals.add(order);
      counted += 1;
    }
  }
  return { totals: totals.read(), orders: counted, capped: false };
}
