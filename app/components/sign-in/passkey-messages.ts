import type { PasskeyStep } from "./use-passkey";

/** The button's label during each step of a passkey ceremony. */
export const passkeyPendingMessages = {
  idle: false,
  requesting: "One moment…",
  confirming: "Waiting for your device…",
  verifying: "Signing you in…",
} as const satisfies Record<PasskeyStep, string | false>;
