import type { ShouldRevalidateFunction } from "@remix-run/react";

const asksOnly = new Set(["passkey-options", "autofill-options", "registration-options"]);

/** Asking for a passkey's options changes nothing that a loader tells. */
export const unlessOptionsOnly: ShouldRevalidateFunction = ({ formData, defaultShouldRevalidate }) => {
  const intent = formData?.get("intent");
  return typeof intent === "string" && asksOnly.has(intent) ? false : defaultShouldRevalidate;
};
