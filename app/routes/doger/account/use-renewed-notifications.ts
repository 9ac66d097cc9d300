import { useEffect } from "react";
import type { ActionResult } from "./result-note";

/**
 * Confirming with a passkey, or adding one, begins a new session, and this browser's notifications end with the old one.
 * Turns them on again if they were on.
 */
export function useRenewedNotifications(result: ActionResult | null): void {
  useEffect(() => {
    if (result?.done) void import("~/browser/push").then(({ subscribeToPush }) => subscribeToPush({ onlyRenew: true }));
  }, [result]);
}
