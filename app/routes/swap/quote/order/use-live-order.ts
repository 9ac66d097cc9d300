import { useEffect, useState } from "react";
import type { Order } from "~/api/contract";
import { isPageVisible, useVisible } from "~/browser/use-visible";
import { minuteMs } from "~/lib/durations";
import { isOrderStatus } from "~/lib/order-states";
import { paths } from "~/lib/paths";
import { useIdleRevalidation, useRevalidationOnce } from "~/loaded-data/use-idle-revalidation";
import { invalidateQueries } from "~/query-cache/invalidation";
import { isSettled } from "~/swaps/order-sums";

const pollMs = 5_000;
const reopenMs = minuteMs;
const hiddenMs = 5 * minuteMs;

/**
 * The order as it is now: updated by the server's events, or by polling while the event stream is refused. Uses the
 * loader's order or the event's order, whichever is newer. A page that stays hidden closes its stream, so that it does
 * not keep the session in use, and opens it again when it becomes visible.
 * @param notifiesHere whether the page notifies the visitor of changes, and needs its stream while it is hidden
 */
export function useLiveOrder(loaded: Order, notifiesHere: boolean): Order {
  const [received, setReceived] = useState<Order | null>(null);
  const [isPolling, setPolling] = useState(false);
  const [attempts, setAttempts] = useState(0);
  const [isWatched, setWatched] = useState(true);
  const [isOutdated, setOutdated] = useState(false);
  const { isIdle, revalidate } = useIdleRevalidation();
  // The page's code is older than the order's status: reload-if-newer.ts then reloads the page.
  useRevalidationOnce(isOutdated);
  const isNewer = received !== null && received.id === loaded.id && received.updated_at > loaded.updated_at;
  const order = isNewer ? received : loaded;
  // A refund can be on its way after the last change of the status.
  const isOver = isSettled(order.status, order.incoming_txs, order.outgoing_txs);
  const { id } = loaded;

  const isVisible = useVisible();
  useEffect(() => {
    if (isVisible || notifiesHere) {
      setWatched(true);
      return;
    }
    const timer = setTimeout(() => setWatched(false), hiddenMs);
    return () => clearTimeout(timer);
  }, [isVisible, notifiesHere]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt opens the stream again.
  useEffect(() => {
    if (isOver || !isWatched) return;
    const events = new EventSource(paths.orderEvents(id));
    events.addEventListener("order", (event: MessageEvent<string>) => {
      setPolling(false);
      // Other pages have cached the old order.
      invalidateQueries("quote", "activeQuote", "swaps");
      const update = JSON.parse(event.data) as Order;
      if (isOrderStatus(update.status)) setReceived(update);
      else setOutdated(true);
    });
    events.addEventListener("error", () => {
      // A broken connection is opened again automatically; a refused one stays closed.
      if (events.readyState === EventSource.CLOSED) setPolling(true);
    });
    return () => events.close();
  }, [id, isOver, isWatched, attempts]);

  useEffect(() => {
    if (!isPolling || isOver) return;
    const whenVisible = (action: () => void) => () => {
      if (isPageVisible()) action();
    };
    const poll = whenVisible(() => {
      if (!isIdle()) return;
      invalidateQueries("quote", "activeQuote", "swaps");
      revalidate();
    });
    const reopen = whenVisible(() => setAttempts((count) => count + 1));
    const timers = [setInterval(poll, pollMs), setInterval(reopen, reopenMs)];
    return () => timers.forEach(clearInterval);
  }, [isPolling, isOver, isIdle, revalidate]);

  return order;
}
