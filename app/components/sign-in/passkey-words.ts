import type { PasskeyStep } from "./use-passkey";

/** What the button says while its ceremony runs. */
export const passkeyPendingWords = {
  idle: false,
  asking: "One moment…",
  confirming: "Waiting for your device…",
  verifying: "Signing you in…",
} as const satisfies Record<PasskeyStep, string | false>;
