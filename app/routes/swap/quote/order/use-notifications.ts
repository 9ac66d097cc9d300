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
  /** Whether this page notifies the visitor, as long as it is open. */
  notifiesHere: boolean;
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
 * Whether visitors who turned on notifications get them from the browser's push service or, if there is none, from the
 * page that is open (`useNotifyOnChange`).
 */
export function useNotifications(): NotificationState {
  const [permission, setPermission] = useState<NotificationState["permission"]>("default");
  const [isPushed, setPushed] = useState(false);

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

  return {
    permission,
    isPushed,
    notifiesHere: permission === "granted" && !isPushed,
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

/** Notifies the visitor when the order is finished or needs a decision while the page is hidden. */
export function useNotifyOnChange(order: Order, { notifiesHere }: NotificationState): void {
  const { status, quote_id } = order;
  const kind = toNoRefundReason(order) === null ? notificationKinds[status] : "ended";
  const lastStatus = useRef(status);
  useEffect(() => {
    if (lastStatus.current === status) return;
    lastStatus.current = status;
    if (!notifiesHere || kind === undefined || isPageVisible()) return;
    const { title, body } = toSwapNotification(kind, quote_id);
    void showNotification(title, body);
  }, [status, notifiesHere, kind, quote_id]);
}

/** Imported on demand, because few visitors turn on notifications. */
async function subscribe(options: { onlyRenew?: boolean } = {}): Promise<boolean> {
  const { subscribeToPush } = await import("~/browser/push");
  return subscribeToPush(options);
}
