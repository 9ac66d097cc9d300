import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { Order } from "~/api/contract";
import { isFinal } from "~/lib/order-states";
import { paths } from "~/lib/paths";
import { invalidateQueries } from "~/query-cache/invalidation";

const pollMs = 5_000;

/**
 * The order as it is now: updated by the server's events, or by polling where the event stream is
 * refused. The newer of the loader's order and the event's order counts.
 */
export function useLiveOrder(loaded: Order): Order {
  const [received, setReceived] = useState<Order | null>(null);
  const [isPolling, setPolling] = useState(false);
  const { revalidate } = useRevalidator();
  const isNewer = received !== null && received.id === loaded.id && received.updated_at > loaded.updated_at;
  const order = isNewer ? received : loaded;
  const isOver = isFinal(order.status);
  const { id } = loaded;

  useEffect(() => {
    if (isOver) return;
    const events = new EventSource(paths.orderEvents(id));
    events.addEventListener("order", (event: MessageEvent<string>) => {
      setPolling(false);
      // Other pages have cached the old order.
      invalidateQueries("quote", "activeQuote", "swaps");
      setReceived(JSON.parse(event.data) as Order);
    });
    events.addEventListener("error", () => {
      // A broken connection is opened again automatically; a refused one stays closed.
      if (events.readyState === EventSource.CLOSED) setPolling(true);
    });
    return () => events.close();
  }, [id, isOver]);

  useEffect(() => {
    if (!isPolling || isOver) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      invalidateQueries("quote", "activeQuote", "swaps");
      revalidate();
    }, pollMs);
    return () => clearInterval(timer);
  }, [isPolling, isOver, revalidate]);

  return order;
}
