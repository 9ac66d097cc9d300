import { useEffect, useRef } from "react";
import { userRefreshMs } from "~/lib/constants";
import type { AuthState } from "~/loaded-data/layout-data";
import { useIdleRevalidation } from "~/loaded-data/use-idle-revalidation";
import { clearQueryCache, invalidateQueries } from "~/query-cache/invalidation";
import { clearStoredWallet } from "./stored-wallet";
import { notifyTabs, onOtherTab } from "./tabs";
import { useVisible } from "./use-visible";

/**
 * S07: with a passkey session, fetches the user again every 60 s while the page is visible, and when it becomes
 * visible, but waits while other data is being loaded. T12: each tab tells the others whether it is signed in, and tabs
 * in a different state fetch the user again. Even a tab that has just opened does so, because the visitor may have
 * signed in or out on a page without React, or deleted the account. T11: a signed-out tab, or one in which the account
 * has changed, clears its query cache and the stored wallet.
 *
 * @param email the account's address; null if it is unknown
 */
export function useSessionUpkeep(auth: AuthState, email: string | null): void {
  const { isIdle, revalidate } = useIdleRevalidation();
  const lastFetchMs = useRef(0);
  const isSignedIn = useRef(false);
  const account = useRef(email);

  const isVisible = useVisible();

  useEffect(() => {
    if (auth === "passkey") lastFetchMs.current = Date.now();
  }, [auth]);

  useEffect(() => {
    if (auth !== "passkey" || !isVisible) return;
    const fetchWhenDue = () => {
      if (Date.now() - lastFetchMs.current < userRefreshMs) return;
      // The timer tries again in a second.
      if (!isIdle()) return;
      lastFetchMs.current = Date.now();
      invalidateQueries("user");
      revalidate();
    };
    fetchWhenDue();
    const timer = setInterval(fetchWhenDue, 1_000);
    return () => clearInterval(timer);
  }, [auth, isVisible, isIdle, revalidate]);

  useEffect(
    () =>
      onOtherTab((isOtherSignedIn) => {
        if (isOtherSignedIn === isSignedIn.current) return;
        clearQueryCache();
        revalidate();
      }),
    [revalidate],
  );

  useEffect(() => {
    isSignedIn.current = auth !== "signed-out";
    notifyTabs(isSignedIn.current);
    const isNewAccount = email && account.current && account.current !== email;
    account.current = email || account.current;
    if (isSignedIn.current && !isNewAccount) return;
    clearQueryCache();
    clearStoredWallet();
    if (isNewAccount) revalidate();
  }, [auth, email, revalidate]);
}
