import { useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";

/** Faster navigations don't show a loading screen. */
const loadingDelayMs = 200;

/**
 * Whether a navigation to another page has been pending for longer than the delay. Posted forms don't count: their
 * button shows the progress.
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
    const timer = setTimeout(() => setSlow(true), loadingDelayMs);
    return () => clearTimeout(timer);
  }, [leaving]);
  return slow && leaving;
}
