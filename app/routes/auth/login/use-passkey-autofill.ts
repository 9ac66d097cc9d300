import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { useEffect, useRef, useState } from "react";
import { authenticateByAutofill, canAutofillPasskeys } from "~/browser/ceremony";
import { type CeremonyResult, useCeremony } from "~/components/sign-in/use-ceremony";
import { useLatestRef } from "~/loaded-data/use-latest-ref";

/** How long to wait for options before requesting them again, and how much of a challenge's time to use. */
const retryMs = 60_000;
const usedShare = 0.8;

/**
 * Events that only a visitor causes. Not focusin, because scripts move the focus, too, for example after signing out.
 */
const activityEvents = ["pointermove", "pointerdown", "keydown"] as const;

/** Chromium sends `pointermove` after a page has loaded, even if the pointer is at rest. */
function isPointerAtRest(event: Event): boolean {
  if (event.type !== "pointermove") return false;
  const { movementX, movementY } = event as PointerEvent;
  return movementX === 0 && movementY === 0;
}

type Autofill = {
  /** The visitor picked a passkey, and it is being verified: another ceremony must not start. */
  verifying: boolean;
  /**
   * The result for the passkey that the visitor picked. Suggestions have no result, because the visitor did not ask
   * for them.
   */
  result: CeremonyResult | null;
};

/**
 * WebAuthn conditional UI: browsers that support it suggest passkeys in the field. A challenge is requested on
 * user activity, so that an idle page does not make requests: the first time, once it is too old, and after a failure.
 *
 * @param isBusy another sign-in is in progress: a passkey's ceremony would end the session that it starts
 */
export function usePasskeyAutofill(action: string, isBusy: boolean): Autofill {
  const { state, start } = useCeremony("autofill", action);
  const verifying = state.step === "verifying";
  const outcome = state.step === "ended" && state.at === "verify" ? state.result : null;
  const [result, setResult] = useState(outcome);
  // Kept while new suggestions are requested, which the next movement of the pointer does.
  if (verifying ? result : outcome && outcome !== result) setResult(outcome);
  const declined = state.step === "ended" && state.at === "dialog";
  const nextRequestMs = useRef(0);
  const busy = useLatestRef(isBusy || verifying);

  useEffect(() => {
    /** Suggestions would close the dialog of another sign-in, and a verified passkey would end its session. */
    const yieldToOthers = () => {
      if (!busy.current) return;
      nextRequestMs.current = 0;
      throw new Error("Another sign-in has started");
    };
    const suggest = async (options: Record<string, unknown>, signal: AbortSignal) => {
      yieldToOthers();
      nextRequestMs.current = Date.now() + usedShare * Number(options.timeout ?? retryMs);
      const credential = await authenticateByAutofill(
        options as unknown as PublicKeyCredentialRequestOptionsJSON,
        signal,
      );
      yieldToOthers();
      return credential;
    };
    const request = (event: Event) => {
      if (Date.now() < nextRequestMs.current || busy.current || isPointerAtRest(event)) return;
      // A button may start its own ceremony, which would abort this one.
      if (event.target instanceof Element && event.target.closest("button, a, summary")) return;
      nextRequestMs.current = Date.now() + retryMs;
      void canAutofillPasskeys().then((can) => {
        if (can) start({}, suggest);
      });
    };
    for (const type of activityEvents) window.addEventListener(type, request, { passive: true });
    return () => {
      for (const type of activityEvents) window.removeEventListener(type, request);
    };
  }, [busy, start]);

  useEffect(() => {
    // A challenge can be used only once, and only the newest one across all tabs is valid.
    if (outcome) nextRequestMs.current = 0;
    // The visitor did not pick a passkey, or used the button instead; neither is an error.
    if (declined) nextRequestMs.current = Math.min(nextRequestMs.current, Date.now() + retryMs);
  }, [outcome, declined]);
  return { verifying, result };
}
