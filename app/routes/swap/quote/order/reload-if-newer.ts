import { reloadOnce } from "~/browser/reload-once";
import { isOrderStatus } from "~/lib/order-states";
import type { QuotePageData } from "../loader.server";

/**
 * Reloads the page if the order has a status that its code doesn't know. After a deployment, an open page may get data
 * from a newer build. The data is then held back forever, because a page that can't show it would become an error
 * screen.
 */
export async function reloadIfNewer<Data extends QuotePageData>(data: Data): Promise<Data> {
  const isKnown = data.kind !== "order" || isOrderStatus(data.order.status);
  if (!isKnown && (await reloadOnce(`Unknown status: ${data.order.status}`))) await new Promise(() => undefined);
  return data;
}
