import { useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";

/** Faster navigations don't show a loading screen. */
const loadingDelayMs = 200;

/**
 * Whether a navigation to another page has been pending for longer than the delay, so that the page is hidden. Posted
 * forms don't count: their button shows the progress. If the navigation is given up, the focus returns to where it was.
 */
export function useSlowNavigation(currentPath: string): boolean {
  const navigation = useNavigation();
  const leaving =
    navigation.state === "loading" && navigation.location.pathname !== currentPath && navigation.formMethod !== "POST";
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!leaving) {
      setSlow(false);
      return;
    }
    const focused = document.activeElement as HTMLElement | null;
    const timer = setTimeout(() => setSlow(true), loadingDelayMs);
    return () => {
      clearTimeout(timer);
      // If another page was opened, the element is gone.
      if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
    };
  }, [leaving]);
  return slow && leaving;
}
