import { useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";

/** What is there within this moment needs no loading screen. */
const momentMs = 200;

/**
 * True while a navigation to another page has been pending for more than a moment. Posting a
 * form is no navigation until it leads somewhere else: its button says that it works.
 */
export function useSlowNavigation(currentPath: string): boolean {
  const navigation = useNavigation();
  const leaves =
    navigation.state === "loading" &&
    navigation.location.pathname !== currentPath &&
    navigation.formMethod === undefined;
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!leaves) {
      setSlow(false);
      return;
    }
    const timer = setTimeout(() => setSlow(true), momentMs);
    return () => clearTimeout(timer);
  }, [leaves]);
  return slow && leaves;
}
