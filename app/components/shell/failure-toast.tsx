import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect } from "react";
import { clearFailures, useFailure } from "~/query-cache/failures";
import { Toast } from "~/ui/toast";

const messages = {
  form: "We don't know if your request went through. Check your connection, wait a moment and try again: no swap is created or paid twice.",
  navigation: "We couldn't open that page. Check your connection and try again.",
  refresh: "We can't update this page at the moment, so it may be out of date.",
};

/**
 * Shown when a form got no response, when another page could not be opened, or while the page's data can't be loaded again,
 * until the next navigation.
 */
export function FailureToast() {
  const failure = useFailure();
  const { pathname, search } = useLocation();
  const { state } = useNavigation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message is cleared on every navigation.
  useEffect(clearFailures, [pathname, search]);
  return <Toast>{failure && state === "idle" ? messages[failure] : null}</Toast>;
}
