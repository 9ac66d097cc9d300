import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect } from "react";
import { setResponseLost, useResponseLost } from "~/query-cache/lost-response";
import { Toast } from "~/ui/toast";

/** Shown when a form submission got no response, until the next submission or navigation. */
export function LostResponseToast() {
  const lost = useResponseLost();
  const { pathname } = useLocation();
  const { state } = useNavigation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the message is cleared on every navigation.
  useEffect(() => setResponseLost(false), [pathname]);
  return (
    <Toast>
      {lost && state === "idle"
        ? "We didn't get a response, so we don't know if your request went through. Check your connection and try again: no swap is created or paid twice."
        : null}
    </Toast>
  );
}
