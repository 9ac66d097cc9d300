import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { requireHydrationRoot } from "./browser/hydration-root";
import { keepTimeZone } from "./browser/keep-time-zone";
import { pageData } from "./browser/page-data";
import { reloadOnChunkFailure } from "./browser/reload-once";

reloadOnChunkFailure(window);
keepTimeZone(window);

// T11: a page that comes back from the browser's back/forward cache may be of somebody who signed out since.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});

const root = requireHydrationRoot(window);
void pageData().then(() => {
  startTransition(() => {
    hydrateRoot(
      root,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
  });
});
