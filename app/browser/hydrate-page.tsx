import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { requireHydrationRoot } from "./hydration-root";
import { reloadOnChunkFailure } from "./reload-once";
import { storeTimeZone } from "./time-zone-cookie";
import { limitTrustedTypes } from "./trusted-types";
import { waitForPageData } from "./wait-for-data";

/** Makes the page that the server rendered interactive. */
export function hydratePage(): void {
  limitTrustedTypes(window);
  reloadOnChunkFailure(window);
  storeTimeZone(window);

  // T11: a page from the browser's back/forward cache may belong to someone who has signed out since.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });

  const root = requireHydrationRoot(window);
  void waitForPageData().then(() => {
    startTransition(() => {
      hydrateRoot(
        root,
        <StrictMode>
          <RemixBrowser />
        </StrictMode>,
      );
    });
  });
}
