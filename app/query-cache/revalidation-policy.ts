import type { ShouldRevalidateFunction } from "@remix-run/react";

/** Intents that only fetch WebAuthn options and change nothing. */
const readOnlyIntents = new Set(["passkey-options", "autofill-options", "registration-options"]);

/**
 * Loads a page's data again after an action, as Remix does by default, except if nothing can have
 * changed or nothing can be loaded: after a read-only intent, after a form that got no response (`null`,
 * see cached-loader.ts), and while the browser is offline. The page then keeps its data.
 */
export const revalidationPolicy: ShouldRevalidateFunction = (change) => {
  const { formData, actionResult, currentUrl, nextUrl, defaultShouldRevalidate } = change;
  const intent = formData?.get("intent");
  if (typeof intent === "string" && readOnlyIntents.has(intent)) return false;
  if (actionResult === null) return false;
  if (currentUrl.href === nextUrl.href && !navigator.onLine) return false;
  return defaultShouldRevalidate;
};
