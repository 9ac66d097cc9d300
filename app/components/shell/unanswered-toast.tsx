import { useLocation, useNavigation } from "@remix-run/react";
import { useEffect } from "react";
import { tellUnanswered, useUnanswered } from "~/session/unanswered";
import { Toast } from "~/ui/toast";

/** Says that a form got no answer, until the next one is sent or the visitor goes elsewhere. The page stays as it is. */
export function UnansweredToast() {
  const unanswered = useUnanswered();
  const { pathname } = useLocation();
  const { state } = useNavigation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: Elsewhere it is of no use.
  useEffect(() => tellUnanswered(false), [pathname]);
  return (
    <Toast>
      {unanswered && state === "idle"
        ? "No answer came, so we cannot tell whether it arrived. Look at your connection and try again: no swap is made or paid twice."
        : null}
    </Toast>
  );
}
