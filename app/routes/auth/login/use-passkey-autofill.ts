import { useFetcher } from "@remix-run/react";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { useEffect, useRef } from "react";
import { authenticateByAutofill, canAutofillPasskeys, hasCeremonyStarted, resetCeremony } from "~/browser/credentials";
import { errorTexts } from "~/lib/error-catalogue";
import type { SignInResult } from "~/sign-in/sign-in-result";

/** E14: the fetcher's data is null if there was no response (see cached-loader.ts). */
const noResponse: SignInResult = { error: errorTexts.passkeyCompletionFailed };

const activityEvents = ["pointermove", "pointerdown", "keydown", "focusin"] as const;

type Autofill = {
  /** The visitor picked a passkey, and it is being verified: no other ceremony may start. */
  verifying: boolean;
  result: SignInResult | null;
};

/**
 * WebAuthn conditional UI: browsers that support it suggest passkeys in the field. The challenge is requested on
 * the first user activity, so that an idle page makes no request.
 */
export function usePasskeyAutofill(action: string): Autofill {
  const options = useFetcher<SignInResult>();
  const verification = useFetcher<SignInResult>();
  const handledOptions = useRef<unknown>(null);
  const { submit: requestOptions } = options;
  const { submit: verify } = verification;
  // Changes with the amount that the visitor types. That is no reason to request another challenge.
  const target = useRef(action);
  target.current = action;

  useEffect(() => {
    resetCeremony();
    const stop = () => {
      for (const type of activityEvents) window.removeEventListener(type, begin);
    };
    const begin = (event: Event) => {
      // A button may start its own ceremony, which would abort this one.
      if (event.target instanceof Element && event.target.closest("button, a, summary")) return;
      stop();
      void canAutofillPasskeys().then((can) => {
        if (can) requestOptions({ intent: "autofill-options" }, { method: "post", action: target.current });
      });
    };
    for (const type of activityEvents) window.addEventListener(type, begin, { passive: true });
    return stop;
  }, [requestOptions]);

  // No dependency array, for the reason given in use-passkey.ts.
  useEffect(() => {
    const received = options.data?.options;
    if (!received || handledOptions.current === received || hasCeremonyStarted()) return;
    handledOptions.current = received;
    authenticateByAutofill(received as unknown as PublicKeyCredentialRequestOptionsJSON)
      .then((credential) => {
        // The visitor has pressed the button since. Its ceremony would end the session that this one starts.
        if (hasCeremonyStarted()) return;
        verify(
          { intent: "autofill-verify", credential: JSON.stringify(credential) },
          { method: "post", action: target.current },
        );
      })
      // The visitor picked no passkey or used the button instead; neither is an error.
      .catch(() => undefined);
  });

  const verifying = verification.state !== "idle";
  const result = verification.data === null ? noResponse : (verification.data ?? null);
  return { verifying, result: verifying ? null : result };
}
