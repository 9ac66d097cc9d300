/**
 * State of Remix's router that has no public API. Only this module uses these globals, because React Router 7 renames
 * them.
 */

/** What the page shows now. A client loader is only told what is being loaded. */
export function getShown() {
  const { location, loaderData } = window.__remixRouter.state;
  return { location, loaderData };
}

export function isNavigating(): boolean {
  return window.__remixRouter.state.navigation.state !== "idle";
}

let givingUp = false;

/** Whether the router only returns to the page that it shows, without any changes to it. */
export function isGivingUp(): boolean {
  return givingUp;
}

/** Ends a form's navigation to another page. A client action has no other way to prevent it. */
export function stayOnPage(): void {
  const { location, navigation } = window.__remixRouter.state;
  if (navigation.state === "submitting" && navigation.location.pathname !== location.pathname) void stay();
}

/**
 * Whether the page can stay: not after Back and Forward, which have already changed the address, and not after a form
 * that was accepted.
 */
export function canStay(): boolean {
  const { location, navigation } = window.__remixRouter.state;
  return (
    navigation.state !== "idle" &&
    (navigation.state === "submitting" || navigation.formMethod !== "POST") &&
    ![location, window.location].some((shown) => toPath(shown) === toPath(navigation.location))
  );
}

/**
 * Ends a navigation to another page, or to another URL of the same page, before anything was sent.
 * @returns false if the page can't stay
 */
export function giveUpNavigation(): boolean {
  if (!canStay()) return false;
  givingUp = true;
  void stay().finally(() => {
    givingUp = false;
  });
  return true;
}

/** Keeps the address, too: it may contain what was typed (save-in-history-entry.ts), which the router doesn't know. */
async function stay(): Promise<void> {
  const { navigate, state } = window.__remixRouter;
  const address = window.location.href;
  await navigate(state.location, { replace: true, preventScrollReset: true });
  if (toPath(window.location) !== toPath(state.location)) return;
  window.history.replaceState(window.history.state, "", address);
}

function toPath({ pathname, search }: { pathname: string; search: string }): string {
  return pathname + search;
}

/** The data of a route in the document, with which Remix hydrates it. `serverLoader` would load it again. */
export function getDocumentData(routeId: string): unknown {
  return window.__remixContext.state.loaderData?.[routeId];
}
