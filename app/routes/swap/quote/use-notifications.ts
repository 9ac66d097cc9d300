import { useEffect, useRef, useState } from "react";
import { showNotification } from "~/browser/show-notification";
import type { OrderLabels } from "~/components/order/order-labels";
import type { OrderStatus } from "~/lib/order-states";

export type NotificationState = {
  permission: "default" | "granted" | "denied";
  /** Asks for permission. Browsers allow this only in response to a click. */
  request(): void;
};

const inProgress: readonly OrderStatus[] = ["awaiting_deposit", "confirming", "paying_out", "refunding"];

/**
 * Shows a browser notification when the order is finished or needs a decision, if the visitor
 * asked for it and the page is hidden. Steps in between are not notified.
 */
export function useOrderNotifications(status: OrderStatus, { title, lede }: OrderLabels): NotificationState {
  const [permission, setPermission] = useState<NotificationState["permission"]>("default");
  const lastStatus = useRef(status);

  useEffect(() => {
    if (!("Notification" in window) || Notification.permission === "denied") setPermission("denied");
  }, []);

  useEffect(() => {
    if (lastStatus.current === status) return;
    lastStatus.current = status;
    if (permission !== "granted" || inProgress.includes(status) || document.visibilityState !== "hidden") return;
    void showNotification(title, lede);
  }, [status, permission, title, lede]);

  return {
    permission,
    request() {
      Notification.requestPermission().then(
        (answer) => setPermission(answer === "granted" ? "granted" : "denied"),
        () => setPermission("denied"),
      );
    },
  };
}
