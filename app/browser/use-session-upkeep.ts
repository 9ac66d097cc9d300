import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { userRefreshMs } from "~/lib/constants";
import { clearQueryCache, invalidateQueries } from "~/query-cache/invalidation";
import type { AuthState } from "~/session/layout-data";
import { clearStoredWallet } from "./stored-wallet";
import { notifySignedOut, onSignedOut } from "./tabs";

/**
 * S07: with a passkey session, fetches the user again every 60 s while the page is visible, and when it
 * becomes visible. T12: a signed-out tab notifies the other tabs, which then fetch the user again. It does so even if it
 * has just opened, because the visitor may have signed out on a page without React, or deleted the account. T11: a
 * signed-out tab clears its query cache and the stored wallet.
 */
export function useSessionUpkeep(auth: AuthState): void {
  const { revalidate } = useRevalidator();
  const lastFetchMs = useRef(0);
  const isSignedIn = useRef(false);

  useEffect(() => {
    if (auth !== "passkey") return;
    lastFetchMs.current = Date.now();
    const fetchWhenDue = () => {
      if (document.visibilityState !== "visible" || Date.now() - lastFetchMs.current < userRefreshMs) return;
      lastFetchMs.current = Date.now();
      invalidateQueries("user");
      revalidate();
    };
    const timer = setInterval(fetchWhenDue, 1_000);
    document.addEventListener("visibilitychange", fetchWhenDue);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", fetchWhenDue);
    };
  }, [auth, revalidate]);

  useEffect(
    () =>
      onSignedOut(() => {
        // Each tab announces the end of its own session: a tab without one has nothing to check.
        if (!isSignedIn.current) return;
        clearQueryCache();
        revalidate();
      }),
    [revalidate],
  );

  useEffect(() => {
    isSignedIn.current = auth !== "signed-out";
    if (isSignedIn.current) return;
    notifySignedOut();
    clearQueryCache();
    clearStoredWallet();
  }, [auth]);
}
