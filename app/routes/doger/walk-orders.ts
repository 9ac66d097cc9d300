import type { ApiClient } from "~/api/client";
import type { Order, OrderFilters } from "~/api/contract";

const pageSize = 100;

/** The caller's orders that match, newest first, one page at a time. Pages are fetched only as they are read. */
export async function* walkOrders(
  api: Pick<ApiClient, "listOrders">,
  filters: OrderFilters = {},
): AsyncGenerator<Order[], void> {
  let cursor: string | undefined;
  do {
    const page = await api.listOrders({ limit: pageSize, cursor, ...filters });
    yield page.items;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
}
