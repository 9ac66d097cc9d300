import type { ShouldRevalidateFunction } from "@remix-run/react";

const asksOnly = new Set(["passkey-options", "autofill-options", "registration-options"]);

/**
 * A page is asked for anew unless it can only be the same, as after asking for a passkey's options, or
 * cannot come: a form that got no answer (`null`, session/client-cache.ts), or a browser that knows it
 * has no network. What stands there then stays.
 */
export const whenItMayHaveChanged: ShouldRevalidateFunction = (change) => {
  const { formData, actionResult, currentUrl, nextUrl, defaultShouldRevalidate } = change;
  const intent = formData?.get("intent");
  if (typeof intent === "string" && asksOnly.has(intent)) return false;
  if (actionResult === null) return false;
  if (currentUrl.href === nextUrl.href && !navigator.onLine) return false;
  return defaultShouldRevalidate;
};
