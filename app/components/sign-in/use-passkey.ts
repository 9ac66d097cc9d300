import { useFetcher } from "@remix-run/react";
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { useEffect, useRef, useState } from "react";
import { getCredentials, noteCeremony } from "~/browser/credentials";
import { clearStoredPasskey, storePasskey } from "~/browser/stored-passkey";
import { errorTexts } from "~/lib/error-catalogue";
import type { SignInResult } from "~/session/sign-in-result";

export type PasskeyStep = "idle" | "asking" | "confirming" | "verifying";

type Ceremony = {
  step: PasskeyStep;
  result: SignInResult | null;
  /** Asks for the options, lets the browser answer, and posts the answer; then the server leads on. */
  start(identifier: string): void;
};

/**
 * One passkey ceremony: options from the route's action (`{kind}-options`), the browser's
 * answer, and that back to the action (`{kind}-verify`), which redirects when it is right.
 */
export function usePasskey(kind: "passkey" | "registration", action: string): Ceremony {
  const options = useFetcher<SignInResult>();
  const verification = useFetcher<SignInResult>();
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState<SignInResult | null>(null);
  const identifier = useRef("");
  const answered = useRef<unknown>(null);
  const { submit } = verification;

  useEffect(() => {
    const given = options.data?.options;
    if (!given || answered.current === given) return;
    answered.current = given;
    setConfirming(true);
    answerOptions(kind, given)
      .then((credential) => {
        storePasskey(identifier.current);
        submit({ intent: `${kind}-verify`, credential: JSON.stringify(credential) }, { method: "post", action });
      })
      .catch((error: unknown) => setFailure(toCeremonyFailure(kind, error)))
      .finally(() => setConfirming(false));
  }, [options.data, kind, action, submit]);

  const busy = verification.state !== "idle";
  const result = failure ?? (busy ? null : (verification.data ?? options.data ?? null));
  useEffect(() => {
    if (result?.clearStoredPasskey) clearStoredPasskey();
  }, [result]);

  return {
    step: options.state !== "idle" ? "asking" : confirming ? "confirming" : busy ? "verifying" : "idle",
    result,
    start(wanted) {
      identifier.current = wanted;
      noteCeremony();
      setFailure(null);
      options.submit({ intent: `${kind}-options`, identifier: wanted }, { method: "post", action });
    },
  };
}

async function answerOptions(kind: "passkey" | "registration", options: Record<string, unknown>) {
  const credentials = await getCredentials();
  // The exchange made them with @simplewebauthn/server; the browser's own code checks each member.
  return kind === "passkey"
    ? credentials.authenticate(options as unknown as PublicKeyCredentialRequestOptionsJSON)
    : credentials.register(options as unknown as PublicKeyCredentialCreationOptionsJSON);
}

/** E12, E15: the person declined, no authenticator answered, or this device has the passkey already. */
function toCeremonyFailure(kind: "passkey" | "registration", error: unknown): SignInResult {
  const name = error instanceof Error ? error.name : "";
  if (kind === "passkey") {
    return {
      error: errorTexts.passkeyFailed,
      hint: "The passkey was not confirmed. Try again, or take a code by e-mail.",
    };
  }
  return {
    error: errorTexts.registrationFailed,
    hint:
      name === "InvalidStateError"
        ? "This device has a passkey for this account already. Sign in with it."
        : "No passkey was made. Try again when you are ready.",
    clearStoredPasskey: true,
  };
}
