import { useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { forgetWallet } from "~/browser/kept-wallet";
import { onSignedOut } from "~/browser/tabs";
import { userRefreshMs } from "~/lib/constants";
import { emptyQueryCache, forgetQueries } from "./cache-registry";
import type { AuthState } from "./layout-data";

/**
 * S07: while passkey-authenticated the user is fetched again every 60 s; a hidden page stops
 * asking and catches up when it is shown. T12: another tab that signed out makes this one
 * ask at once. Whoever is signed out has nothing in the cache, and no wallet is remembered.
 */
export function useSessionUpkeep(auth: AuthState): void {
  const { revalidate } = useRevalidator();
  const lastAsked = useRef(0);

  useEffect(() => {
    if (auth !== "passkey") return;
    lastAsked.current = Date.now();
    const askWhenDue = () => {
      if (document.visibilityState !== "visible" || Date.now() - lastAsked.current < userRefreshMs) return;
      lastAsked.current = Date.now();
      forgetQueries("user");
      revalidate();
    };
    const timer = setInterval(askWhenDue, 1_000);
    document.addEventListener("visibilitychange", askWhenDue);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", askWhenDue);
    };
  }, [auth, revalidate]);

  useEffect(
    () =>
      onSignedOut(() => {
        // Everything known was known to somebody else.
        emptyQueryCache();
        revalidate();
      }),
    [revalidate],
  );

  useEffect(() => {
    if (auth !== "signed-out") return;
    emptyQueryCache();
    forgetWallet();
  }, [auth]);
}
