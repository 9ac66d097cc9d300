import { useEffect } from "react";
import type { FormResult } from "~/lib/form-result";

/**
 * Confirming with a passkey, or adding one, begins a new session, and this browser's notifications end with the old one.
 * Turns them on again if they were on.
 */
export function useRenewedNotifications(result: FormResult | null): void {
  useEffect(() => {
    if (result?.kind !== "done") return;
    void import("~/browser/push").then(({ subscribeToPush }) => subscribeToPush({ onlyRenew: true }));
  }, [result]);
}
