import type { ApiClient } from "~/api/client";
import type { Order } from "~/api/contract";

const pageSize = 100;

/** The caller's orders, newest first, one page at a time. Pages are fetched only as they are read. */
export async function* walkOrders(api: Pick<ApiClient, "listOrders">): AsyncGenerator<Order[], void> {
  let cursor: string | undefined;
  do {
    const page = await api.listOrders({ limit: pageSize, cursor });
    yield page.items;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
}
