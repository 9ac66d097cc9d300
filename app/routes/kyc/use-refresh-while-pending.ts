import { useEffect } from "react";
import type { KycStatus } from "~/api/contract";
import { isPageVisible, onVisibilityChange } from "~/browser/use-visible";
import { useRouteContext } from "~/loaded-data/route-context";
import { useIdleRevalidation } from "~/loaded-data/use-idle-revalidation";

/** A review can take seconds or hours. */
const toRefreshMs = (checks: number) => (checks < 10 ? 1_000 : 5_000);

/**
 * Until there is a decision, reloads the page's data every second, later every five seconds, and whenever the page
 * becomes visible.
 */
export function useRefreshWhilePending(status: KycStatus): void {
  // The layout's user, which other pages show, is loaded separately, maybe just before the decision.
  const { user } = useRouteContext();
  const isPending = status === "pending" || user?.kyc_status === "pending";
  const { isIdle, revalidate } = useIdleRevalidation();
  useEffect(() => {
    if (!isPending) return;
    let checks = 0;
    let timer: ReturnType<typeof setTimeout>;
    function check() {
      if (isPageVisible() && isIdle()) revalidate();
    }
    function checkLater() {
      timer = setTimeout(() => {
        checks += 1;
        check();
        checkLater();
      }, toRefreshMs(checks));
    }
    checkLater();
    const ignoreVisibility = onVisibilityChange(check);
    return () => {
      clearTimeout(timer);
      ignoreVisibility();
    };
  }, [isPending, isIdle, revalidate]);
}
