import { useEffect } from "react";
import { runCeremony } from "~/browser/ceremony";
import type { CeremonyKind } from "~/browser/credentials";
import { clearStoredPasskey, storePasskey } from "~/browser/stored-passkey";
import * as errorTexts from "~/lib/error-catalogue";
import { toRefused } from "~/lib/form-result";
import { noResponse } from "~/query-cache/failures";
import type { SignInRefused } from "~/sign-in/sign-in-result";
import { type CeremonyResult, useCeremony } from "./use-ceremony";

export type PasskeyStep = "idle" | "requesting" | "confirming" | "verifying";

type Passkey = {
  step: PasskeyStep;
  result: CeremonyResult | null;
  /**
   * Requests the options, runs the browser's passkey dialog and posts the result. Does nothing while it is busy.
   * @param isTest whether to use the sandbox's test passkey; by default, if one was used last and the account has it
   */
  start(identifier: string, isTest?: boolean): void;
};

/** E12–E15: what each step shows if there was no response. */
const lostForms = {
  passkey: {
    options: { kind: "refused", error: errorTexts.passkeyFailed },
    verify: { kind: "refused", error: errorTexts.passkeyCompletionFailed },
  },
  registration: {
    options: { kind: "refused", error: errorTexts.registrationStartFailed, clearStoredPasskey: true },
    verify: { kind: "refused", error: errorTexts.registrationFailed, clearStoredPasskey: true },
  },
} as const satisfies Record<string, Record<string, SignInRefused>>;

/** Signs in with a passkey of the account, or creates one, when a button is pressed. */
export function usePasskey(kind: CeremonyKind, action: string): Passkey {
  const { state, start } = useCeremony(kind, action, (error) => toCeremonyFailure(kind, error));
  const result: CeremonyResult | null =
    state.step === "answered"
      ? state.response === noResponse
        ? lostForms[kind][state.form]
        : state.response
      : state.step === "declined"
        ? state.result
        : null;
  useEffect(() => {
    if (toRefused(result)?.clearStoredPasskey) clearStoredPasskey();
  }, [result]);
  const step = state.step === "answered" || state.step === "declined" ? "idle" : state.step;
  return {
    step,
    result,
    start(identifier, isTest) {
      if (step !== "idle") return;
      start({ identifier }, async (options, signal) => {
        const credential = await runCeremony(kind, options, signal, isTest);
        storePasskey(identifier);
        return credential;
      });
    },
  };
}

/**
 * E12, E15: the visitor declined, no authenticator responded, or what the error's `hint` says (see
 * browser/browser-passkeys.ts).
 */
function toCeremonyFailure(kind: CeremonyKind, error: unknown): SignInRefused {
  const { hint }: { hint?: string } = Object(error);
  if (kind === "passkey") {
    return {
      kind: "refused",
      error: errorTexts.passkeyFailed,
      hint: hint ?? "Your passkey wasn't confirmed. Try again, or use a code sent by e-mail.",
    };
  }
  return {
    kind: "refused",
    error: errorTexts.registrationFailed,
    hint: hint ?? "No passkey was created. Try again when you're ready.",
    clearStoredPasskey: true,
  };
}
