/**
 * State of Remix's router that has no public API. No other module uses these globals, which React Router 7 renames.
 */

/** What the page shows now. A client loader is only told what is being loaded. */
export function getShown() {
  const { location, loaderData } = window.__remixRouter.state;
  return { location, loaderData };
}

export function isNavigating(): boolean {
  return window.__remixRouter.state.navigation.state !== "idle";
}

/** Ends a form's navigation to another page. A client action cannot prevent it in another way. */
export function stayOnPage(): void {
  const { navigate, state } = window.__remixRouter;
  const { location, navigation } = state;
  const leaves = navigation.state === "submitting" && navigation.location.pathname !== location.pathname;
  if (leaves) void navigate(location, { replace: true, preventScrollReset: true });
}

/** The data of a route in the document, with which Remix hydrates it. `serverLoader` would load it again. */
export function getDocumentData(routeId: string): unknown {
  return window.__remixContext.state.loaderData?.[routeId];
}
