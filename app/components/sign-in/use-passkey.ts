import { useFetcher } from "@remix-run/react";
import { startTransition, useEffect, useRef, useState } from "react";
import { runCeremony } from "~/browser/ceremony";
import type { CeremonyKind } from "~/browser/credentials";
import { clearStoredPasskey, storePasskey } from "~/browser/stored-passkey";
import * as errorTexts from "~/lib/error-catalogue";
import type { SignInResult } from "~/sign-in/sign-in-result";

export type PasskeyStep = "idle" | "requesting" | "confirming" | "verifying";

type Ceremony = {
  step: PasskeyStep;
  result: SignInResult | null;
  /**
   * Requests the options, runs the browser's passkey dialog and posts the result. Does nothing while it is busy.
   * @param isTest whether to use the sandbox's test passkey; by default, if one was used last and the account has it
   */
  start(identifier: string, isTest?: boolean): void;
};

/** E12–E15: what each step shows if there was no response. */
const noResponse = {
  passkey: {
    options: { error: errorTexts.passkeyFailed },
    verify: { error: errorTexts.passkeyCompletionFailed },
  },
  registration: {
    options: { error: errorTexts.registrationStartFailed, clearStoredPasskey: true },
    verify: { error: errorTexts.registrationFailed, clearStoredPasskey: true },
  },
} as const satisfies Record<string, Record<string, SignInResult>>;

/**
 * One WebAuthn ceremony: gets the options from the route's action (`{kind}-options`), runs the browser's
 * dialog and posts the credential to the action (`{kind}-verify`), which redirects on success.
 */
export function usePasskey(kind: CeremonyKind, action: string): Ceremony {
  const options = useFetcher<SignInResult>();
  const verification = useFetcher<SignInResult>();
  const [confirming, setConfirming] = useState(false);
  const [failure, setFailure] = useState<SignInResult | null>(null);
  const identifier = useRef("");
  const usesTest = useRef<boolean>();
  // Attempts are counted, because a fetcher keeps the result of the last one.
  const started = useRef(0);
  const [verified, setVerified] = useState(0);
  const handledOptions = useRef<unknown>(null);
  const { submit } = verification;

  // No dependency array: on slow devices, React 18 sometimes skipped an effect that depended on a fetcher's
  // data, and the button did nothing. `handledOptions` ensures that each set of options is used once.
  useEffect(() => {
    const received = options.data?.options;
    if (!received || handledOptions.current === received) return;
    handledOptions.current = received;
    setConfirming(true);
    runCeremony(kind, received, usesTest.current)
      .then((credential) => {
        storePasskey(identifier.current);
        submit({ intent: `${kind}-verify`, credential: JSON.stringify(credential) }, { method: "post", action });
        // In a transition, as Remix updates the fetcher: before that, its data comes from an earlier attempt.
        startTransition(() => setVerified(started.current));
      })
      .catch((error: unknown) => setFailure(toCeremonyFailure(kind, error)))
      .finally(() => setConfirming(false));
  });

  const busy = options.state !== "idle" || verification.state !== "idle";
  const verifiedData = verified === started.current ? verification.data : undefined;
  const result = failure ?? (busy ? null : readResult(kind, verifiedData, options.data));
  useEffect(() => {
    if (result?.clearStoredPasskey) clearStoredPasskey();
  }, [result]);

  const step = options.state !== "idle" ? "requesting" : confirming ? "confirming" : busy ? "verifying" : "idle";

  return {
    step,
    result,
    start(enteredIdentifier, isTest) {
      if (step !== "idle") return;
      identifier.current = enteredIdentifier;
      usesTest.current = isTest;
      started.current += 1;
      setFailure(null);
      options.submit({ intent: `${kind}-options`, identifier: enteredIdentifier }, { method: "post", action });
    },
  };
}

/** The latest step's result. `null` as data means that there was no response (see cached-loader.ts). */
function readResult(
  kind: CeremonyKind,
  verified: SignInResult | null | undefined,
  options: SignInResult | null | undefined,
): SignInResult | null {
  if (verified !== undefined) return verified ?? noResponse[kind].verify;
  return options === null ? noResponse[kind].options : (options ?? null);
}

/**
 * E12, E15: the visitor declined, no authenticator responded, or what the error's `hint` says (see
 * browser/browser-passkeys.ts).
 */
function toCeremonyFailure(kind: CeremonyKind, error: unknown): SignInResult {
  const { hint }: { hint?: string } = Object(error);
  if (kind === "passkey") {
    return {
      error: errorTexts.passkeyFailed,
      hint: hint ?? "Your passkey wasn't confirmed. Try again, or use a code sent by e-mail.",
    };
  }
  return {
    error: errorTexts.registrationFailed,
    hint: hint ?? "No passkey was created. Try again when you're ready.",
    clearStoredPasskey: true,
  };
}
