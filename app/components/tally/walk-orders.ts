import type { ApiClient } from "~/api/client";
import type { Order } from "~/api/contract";

const pageSize = 100;

/** Every order of the caller, newest first, a page at a time and only as far as it is read. */
export async function* walkOrders(api: Pick<ApiClient, "listOrders">): AsyncGenerator<Order[], void> {
  let cursor: string | undefined;
  do {
    const page = await api.listOrders({ limit: pageSize, cursor });
    yield page.items;
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
}
