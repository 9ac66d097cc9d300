import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { clearFailures, useFailure } from "~/query-cache/failures";
import { canStay, giveUpNavigation } from "~/query-cache/remix-router";
import { Button } from "~/ui/button";
import { Toast } from "~/ui/toast";

const messages = {
  form: "We don't know if your request went through. Check your connection, wait a moment and try again: no swap is created or paid twice.",
  navigation: "We couldn't open that page. Check your connection and try again.",
  refresh: "We can't update this page at the moment, so it may be out of date.",
};

/**
 * Shown when a form got no response, when another page could not be opened, or while the page's data can't be loaded again,
 * until the next navigation or until it is closed. While a page takes long to load, it offers to stop that.
 */
export function FailureToast() {
  const failure = useFailure();
  const { pathname, search } = useLocation();
  const { state } = useNavigation();
  const isStuck = useIsStuck();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message is cleared on every navigation.
  useEffect(clearFailures, [pathname, search]);
  if (isStuck) {
    return <Toast button={<Stop />}>This page is taking a long time to load.</Toast>;
  }
  if (!failure || state !== "idle") return <Toast />;
  return (
    <Toast
      button={
        <Button type="button" size="small" onClick={close}>
          Close
        </Button>
      }
    >
      {messages[failure]}
    </Toast>
  );
}

function close() {
  clearFailures();
  // The button is gone.
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** Stops the navigation, like a browser's own button. If the page can't stay, the other one is loaded as a document. */
function Stop() {
  function stop() {
    if (!giveUpNavigation()) window.location.reload();
  }
  return (
    <Button type="button" size="small" onClick={stop}>
      {canStay() ? "Stay on this page" : "Reload"}
    </Button>
  );
}

const stuckMs = 5_000;

/** Whether a page has been loading for a long time. Posted forms don't count: they may have been accepted. */
function useIsStuck(): boolean {
  const { state, formMethod, location } = useNavigation();
  const isOpening = state === "loading" && formMethod !== "POST";
  const to = isOpening ? location.key : null;
  const [stuck, setStuck] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setStuck(to), stuckMs);
    return () => clearTimeout(timer);
  }, [to]);
  return to !== null && stuck === to;
}
