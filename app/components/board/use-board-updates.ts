import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";

const everyMs = 5_000;

/** The board asks again every few seconds while somebody can see it, and at once when it is shown again. */
export function useBoardUpdates(): void {
  const { revalidate, state } = useRevalidator();
  useEffect(() => {
    if (state !== "idle") return;
    const ask = () => {
      if (document.visibilityState === "visible") revalidate();
    };
    const timer = setTimeout(ask, everyMs);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", ask);
    };
  }, [revalidate, state]);
}
