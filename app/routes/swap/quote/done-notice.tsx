import { useEffect, useState } from "react";
import { useHydrated } from "remix-utils/use-hydrated";
import type { OrderStatus } from "~/lib/order-states";
import { Button } from "~/ui/button";
import { Note } from "~/ui/note";

type Wish = "unasked" | "granted" | "refused";

/** Asked only once money is under way: somebody who waits may look elsewhere meanwhile. */
export function DoneNotice({ status }: { status: OrderStatus }) {
  const hydrated = useHydrated();
  const [wish, setWish] = useState<Wish>("unasked");
  useEffect(() => {
    if (wish !== "granted") return;
    // Shown when this state is left, which is when there is news; not when the tab is looked at anyway.
    return () => {
      if (document.visibilityState === "hidden") new Notification("Antelope", { body: "There is news of your swap." });
    };
  }, [wish]);

  if (!hydrated || !("Notification" in window) || status === "on_hold") return null;
  if (wish === "granted") return <Note tone="good">We tell you here when there is news. Keep this tab open.</Note>;
  if (wish === "refused")
    return <Note>Your browser shows no notifications from here. The page itself stays up to date.</Note>;
  return (
    <Button
      type="button"
      kind="primary"
      size="large"
      full
      onClick={() => {
        Notification.requestPermission().then(
          (permission) => setWish(permission === "granted" ? "granted" : "refused"),
          () => setWish("refused"),
        );
      }}
    >
      Tell me when it is done
    </Button>
  );
}
