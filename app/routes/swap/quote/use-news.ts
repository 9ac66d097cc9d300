import { useEffect, useRef, useState } from "react";
import { showNotification } from "~/browser/show-notification";
import type { OrderWords } from "~/components/order/order-words";
import type { OrderStatus } from "~/lib/order-states";

export type News = {
  wish: "unasked" | "granted" | "refused";
  /** Asks the browser, which may ask the person; only at a press. */
  ask(): void;
};

const underWay: readonly OrderStatus[] = ["awaiting_deposit", "confirming", "paying_out", "refunding"];

/**
 * Tells somebody who looks elsewhere meanwhile, once they asked for it, that the money arrived
 * or that they are needed. A step on the way is no news, and neither is what is looked at anyway.
 */
export function useNews(status: OrderStatus, { title, lede }: OrderWords): News {
  const [wish, setWish] = useState<News["wish"]>("unasked");
  const known = useRef(status);

  useEffect(() => {
    if (!("Notification" in window) || Notification.permission === "denied") setWish("refused");
  }, []);

  useEffect(() => {
    if (known.current === status) return;
    known.current = status;
    if (wish !== "granted" || underWay.includes(status) || document.visibilityState !== "hidden") return;
    void showNotification(title, lede);
  }, [status, wish, title, lede]);

  return {
    wish,
    ask() {
      Notification.requestPermission().then(
        (permission) => setWish(permission === "granted" ? "granted" : "refused"),
        () => setWish("refused"),
      );
    },
  };
}
