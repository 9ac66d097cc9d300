import { runCeremony } from "~/browser/ceremony";
import type { CeremonyKind } from "~/browser/credentials";
import { storePasskey } from "~/browser/stored-passkey";
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

/** Signs in with a passkey of the account, or creates one, when a button is pressed. */
export function usePasskey(kind: CeremonyKind, action: string): Passkey {
  const { state, start } = useCeremony(kind, action);
  const step = state.step === "ended" ? "idle" : state.step;
  return {
    step,
    result: state.step === "ended" ? state.result : null,
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
