import { useEffect, useRef, useState } from "react";
import type { Order } from "~/api/contract";
import { showNotification } from "~/browser/show-notification";
import { isPageVisible } from "~/browser/use-visible";
import type { OrderStatus } from "~/lib/order-states";
import { type SwapNotificationKind, toSwapNotification } from "~/lib/swap-notifications";
import { toNoRefundReason } from "~/swaps/order-sums";

export type NotificationState = {
  permission: "default" | "granted" | "denied";
  /** Whether this browser is notified even when the tab is closed. */
  isPushed: boolean;
  /** Asks for permission. Browsers allow this only in response to a click. */
  request(): void;
};

/** What a page reports when its order gets this status. */
const notificationKinds: { [Status in OrderStatus]?: SwapNotificationKind } = {
  needs_decision: "decision_needed",
  on_hold: "on_hold",
  completed: "paid_out",
  refunded: "refunded",
  expired: "ended",
  cancelled: "ended",
};

/**
 * Notifies visitors who turned on notifications: through the browser's push service if there is one, or else from this
 * page, when the order is finished or needs a decision while the page is hidden.
 */
export function useOrderNotifications(order: Order): NotificationState {
  const { status, quote_id } = order;
  const kind = toNoRefundReason(order) === null ? notificationKinds[status] : "ended";
  const [permission, setPermission] = useState<NotificationState["permission"]>("default");
  const [isPushed, setPushed] = useState(false);
  const lastStatus = useRef(status);

  useEffect(() => {
    if (!("Notification" in window) || Notification.permission === "denied") return setPermission("denied");
    if (Notification.permission !== "granted") return;
    // The visitor turned on notifications on an earlier page.
    void subscribe({ onlyRenew: true }).then((done) => {
      if (!done) return;
      setPermission("granted");
      setPushed(true);
    });
  }, []);

  useEffect(() => {
    if (lastStatus.current === status) return;
    lastStatus.current = status;
    if (permission !== "granted" || isPushed || kind === undefined) return;
    if (isPageVisible()) return;
    const { title, body } = toSwapNotification(kind, quote_id);
    void showNotification(title, body);
  }, [status, permission, isPushed, kind, quote_id]);

  return {
    permission,
    isPushed,
    request() {
      Notification.requestPermission().then(
        async (answer) => {
          setPermission(answer);
          if (answer === "granted") setPushed(await subscribe());
        },
        () => setPermission("denied"),
      );
    },
  };
}

/** Imported on demand, because few visitors turn on notifications. */
async function subscribe(options: { onlyRenew?: boolean } = {}): Promise<boolean> {
  const { subscribeToPush } = await import("~/browser/push");
  return subscribeToPush(options);
}
