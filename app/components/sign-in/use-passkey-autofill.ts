import { useFetcher } from "@remix-run/react";
import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { useEffect, useRef } from "react";
import { authenticateByAutofill, canAutofillPasskeys, forgetCeremonies, hasCeremonyBegun } from "~/browser/credentials";
import type { SignInResult } from "~/session/sign-in-result";

const firstSigns = ["pointermove", "pointerdown", "keydown", "focusin"] as const;

/**
 * Conditional UI: where the browser has it, passkeys stand among the field's suggestions. The
 * challenge is asked for at the first sign of a visitor, so that a page nobody touches asks nothing.
 */
export function usePasskeyAutofill(action: string): SignInResult | null {
  const options = useFetcher<SignInResult>();
  const verification = useFetcher<SignInResult>();
  const answered = useRef<unknown>(null);
  const { submit: ask } = options;
  const { submit: verify } = verification;

  useEffect(() => {
    forgetCeremonies();
    const stop = () => {
      for (const sign of firstSigns) window.removeEventListener(sign, begin);
    };
    const begin = (event: Event) => {
      // On its way to a button nobody wants suggestions, and two ceremonies would end each other.
      if (event.target instanceof Element && event.target.closest("button, a, summary")) return;
      stop();
      void canAutofillPasskeys().then((can) => {
        if (can) ask({ intent: "autofill-options" }, { method: "post", action });
      });
    };
    for (const sign of firstSigns) window.addEventListener(sign, begin, { passive: true });
    return stop;
  }, [ask, action]);

  useEffect(() => {
    const given = options.data?.options;
    if (!given || answered.current === given || hasCeremonyBegun()) return;
    answered.current = given;
    authenticateByAutofill(given as unknown as PublicKeyCredentialRequestOptionsJSON)
      .then((credential) =>
        verify({ intent: "autofill-verify", credential: JSON.stringify(credential) }, { method: "post", action }),
      )
      // Nobody picked a passkey, or the button's own ceremony took its place: nothing to say.
      .catch(() => undefined);
  }, [options.data, verify, action]);

  return verification.data ?? null;
}
