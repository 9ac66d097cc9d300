import { useFetcher } from "@remix-run/react";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { useEffect, useRef } from "react";
import { authenticateByAutofill, canAutofillPasskeys } from "~/browser/ceremony";
import * as errorTexts from "~/lib/error-catalogue";
import type { SignInResult } from "~/sign-in/sign-in-result";

/** E14: the fetcher's data is null if there was no response (see cached-loader.ts). */
const noResponse: SignInResult = { error: errorTexts.passkeyCompletionFailed };

/** How long to wait for options before asking again, and how much of a challenge's time to use. */
const retryMs = 60_000;
const usedShare = 0.8;

/**
 * Events that only a visitor causes. Not focusin, because scripts move the focus, too, for example after signing out.
 */
const activityEvents = ["pointermove", "pointerdown", "keydown"] as const;

type Autofill = {
  /** The visitor picked a passkey, and it is being verified: no other ceremony may start. */
  verifying: boolean;
  result: SignInResult | null;
};

/**
 * WebAuthn conditional UI: browsers that support it suggest passkeys in the field. A challenge is requested on
 * user activity, so that an idle page does not make requests: the first time, once it is too old, and after a failure.
 *
 * @param isBusy another sign-in is in progress: a passkey's ceremony would end the session that it starts
 */
export function usePasskeyAutofill(action: string, isBusy: boolean): Autofill {
  const options = useFetcher<SignInResult>();
  const verification = useFetcher<SignInResult>();
  const handledOptions = useRef<unknown>(null);
  const { submit: requestOptions } = options;
  const { submit: verify } = verification;
  // Changes with the amount that the visitor types. That is no reason to request another challenge.
  const target = useRef(action);
  target.current = action;
  const nextRequestMs = useRef(0);
  const busy = useRef(isBusy);
  busy.current = isBusy;

  useEffect(() => {
    const request = (event: Event) => {
      if (Date.now() < nextRequestMs.current || busy.current) return;
      // A button may start its own ceremony, which would abort this one.
      if (event.target instanceof Element && event.target.closest("button, a, summary")) return;
      nextRequestMs.current = Date.now() + retryMs;
      void canAutofillPasskeys().then((can) => {
        if (can) requestOptions({ intent: "autofill-options" }, { method: "post", action: target.current });
      });
    };
    for (const type of activityEvents) window.addEventListener(type, request, { passive: true });
    return () => {
      for (const type of activityEvents) window.removeEventListener(type, request);
    };
  }, [requestOptions]);

  // No dependency array, for the reason given in use-passkey.ts.
  useEffect(() => {
    const received = options.data?.options;
    if (!received || handledOptions.current === received || busy.current) return;
    handledOptions.current = received;
    nextRequestMs.current = Date.now() + usedShare * Number(received.timeout ?? retryMs);
    authenticateByAutofill(received as unknown as PublicKeyCredentialRequestOptionsJSON)
      .then((credential) => {
        if (busy.current) return;
        verify(
          { intent: "autofill-verify", credential: JSON.stringify(credential) },
          { method: "post", action: target.current },
        );
      })
      // The visitor did not pick a passkey, or used the button instead; neither is an error.
      .catch(() => {
        nextRequestMs.current = Math.min(nextRequestMs.current, Date.now() + retryMs);
      });
  });

  const verifying = verification.state !== "idle";
  useEffect(() => {
    // A challenge can be answered only once, and only the newest one across all tabs is valid.
    if (!verifying && verification.data !== undefined) nextRequestMs.current = 0;
  }, [verifying, verification.data]);
  const result = verification.data === null ? noResponse : (verification.data ?? null);
  return { verifying, result: verifying ? null : result };
}
