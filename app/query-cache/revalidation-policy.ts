import type { ShouldRevalidateFunction } from "@remix-run/react";
import { noResponse } from "./failures";
import { isGivingUp, isNavigating } from "./remix-router";

/** Intents that only fetch WebAuthn options and change nothing. */
export const readOnlyIntents: ReadonlySet<unknown> = new Set([
  "passkey-options",
  "autofill-options",
  "registration-options",
]);

/**
 * Loads a page's data again after an action, as Remix does by default, except if nothing can have changed or nothing
 * can be loaded: after a read-only intent that did not redirect, after a form that got no response, while the browser
 * is offline, and when the page stays because another could not be opened. The page then keeps its data. If a read-only
 * intent's response arrives while another page is loading, Remix ends that navigation with the data it has at that
 * moment, so the data is loaded.
 */
export const revalidationPolicy: ShouldRevalidateFunction = (change) => {
  const { formData, actionResult, currentUrl, nextUrl, defaultShouldRevalidate } = change;
  if (actionResult !== undefined && readOnlyIntents.has(formData?.get("intent"))) return isNavigating();
  if (actionResult === noResponse) return false;
  if (currentUrl.href === nextUrl.href && (!navigator.onLine || isGivingUp())) return false;
  return defaultShouldRevalidate;
};
