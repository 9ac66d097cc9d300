import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import type { Order } from "~/api/contract";
import { isFinal } from "~/lib/order-states";
import { paths } from "~/lib/paths";
import { forgetQueries } from "~/session/cache-registry";

const pollMs = 5_000;

/**
 * The order as it is now: told by the server as it changes, or asked for every few seconds
 * where that cannot be had. Whichever is newer counts, the loader's or the event's.
 */
export function useLiveOrder(loaded: Order): Order {
  const [told, setTold] = useState<Order | null>(null);
  const [polling, setPolling] = useState(false);
  const { revalidate } = useRevalidator();
  const order = told && told.id === loaded.id && told.updated_at > loaded.updated_at ? told : loaded;
  const over = isFinal(order.status);
  const { id } = loaded;

  useEffect(() => {
    if (over) return;
    const events = new EventSource(paths.orderEvents(id));
    events.addEventListener("order", (event: MessageEvent<string>) => {
      setPolling(false);
      // What other pages know of this order is old.
      forgetQueries("quote", "activeQuote", "swaps");
      setTold(JSON.parse(event.data) as Order);
    });
    events.addEventListener("error", () => {
      // A broken line mends itself; one that was refused stays closed.
      if (events.readyState === EventSource.CLOSED) setPolling(true);
    });
    return () => events.close();
  }, [id, over]);

  useEffect(() => {
    if (!polling || over) return;
    const timer = setInterval(() => {
      if (document.visibilityState !== "visible") return;
      forgetQueries("quote", "activeQuote", "swaps");
      revalidate();
    }, pollMs);
    return () => clearInterval(timer);
  }, [polling, over, revalidate]);

  return order;
}
