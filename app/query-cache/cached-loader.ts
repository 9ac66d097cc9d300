import { type ClientActionFunctionArgs, type ClientLoaderFunctionArgs, isRouteErrorResponse } from "@remix-run/react";
import { queryStaleMs } from "~/lib/constants";
import { paths } from "~/lib/paths";
import { keepOpenPage, noResponse, setFailed } from "./failures";
import {
  clearQueryCache,
  getInvalidationCount,
  invalidateQueries,
  isInvalidated,
  type QueryName,
} from "./invalidation";
import { getDocumentData, getShown, isNavigating, stayOnPage } from "./remix-router";
import { readOnlyIntents } from "./revalidation-policy";

/** How a route's data differs from a page's. */
type CacheRules = {
  /** The data is the same at every URL. */
  isSameEverywhere?: boolean;
  /** Whether the data is complete. Incomplete data is loaded again the next time. */
  isComplete?(data: unknown): boolean;
};

/**
 * K07: creates a route's client loader, which caches the server's data by the names of what it contains
 * and by URL, so that navigating back and forth loads nothing that is fresh. Data sent with the
 * document counts as loaded. Redirects and errors are not cached, and not retried here, because the
 * server retries its own calls (C11).
 */
export function cachedLoader(
  routeId: string,
  names: readonly QueryName[],
  { isSameEverywhere = false, isComplete = Boolean }: CacheRules = {},
) {
  return async (args: ClientLoaderFunctionArgs) => {
    const url = isSameEverywhere ? "" : toCacheKey(new URL(args.request.url));
    const client = await import("./query-client").then(({ getQueryClient }) => getQueryClient()).catch(() => null);
    // React Query did not load, but the page works without a cache.
    if (!client) return loadOrKeep(routeId, args);
    const queryKey = [...names, url];
    if (!isInvalidated(names) && client.getQueryState(queryKey) === undefined) {
      const documentData = findInDocument(routeId, url);
      if (documentData !== undefined)
        client.setQueryData(queryKey, documentData, { updatedAt: performance.timeOrigin });
    }
    const cached = client.getQueryState(queryKey);
    if (cached && isComplete(cached.data) && Date.now() - cached.dataUpdatedAt < queryStaleMs) {
      setFailed(routeId, false);
      return cached.data;
    }
    // Does not use fetchQuery: clearing the cache would cancel it, and the page would have no data.
    const countBefore = getInvalidationCount();
    return loadOrKeep(routeId, args, (data) => {
      // Data that was invalidated while it was loading is shown but not cached.
      if (getInvalidationCount() === countBefore) client.setQueryData(queryKey, data);
    });
  };
}

/**
 * Creates the client loader of a route whose data must not be cached: it keeps the page in an outage (`loadOrKeep`).
 * Without a client loader, Remix would also prefetch the data on hover and then load it again on navigation.
 */
export function uncachedLoader(routeId: string) {
  return (args: ClientLoaderFunctionArgs) => loadOrKeep(routeId, args);
}

/**
 * Loads a route's data from the server. If the network or the server fails while the page is only loaded again, the
 * page keeps its data instead of being replaced by the error screen, and the layout says so (failures.ts). If the
 * network fails when a link is opened, the page with the link stays.
 */
export async function loadOrKeep(
  routeId: string,
  { request, serverLoader }: ClientLoaderFunctionArgs,
  onLoaded?: (data: unknown) => void,
): Promise<unknown> {
  try {
    const data = await serverLoader<unknown>();
    setFailed(routeId, false);
    onLoaded?.(data);
    return data;
  } catch (error) {
    clearIfSignedOut(error);
    keepTyped(error, request.url);
    if (!isOutage(error) || request.signal.aborted) throw error;
    const { location, loaderData } = getShown();
    const isOpen = routeId in loaderData && toCacheKey(location) === toCacheKey(new URL(request.url));
    if (!isOpen) {
      if (!isRouteErrorResponse(error) && isLost(error)) keepOpenPage();
      throw error;
    }
    setFailed(routeId, true);
    return loaderData[routeId];
  }
}

/** T11: a redirect to /login means that the session has ended. Nothing private may stay in the cache. */
function clearIfSignedOut(error: unknown): void {
  if (error instanceof Response && error.headers.get("Location")?.startsWith("/login")) clearQueryCache();
}

/**
 * If the session has ended while a page was open, signing in returns to what is typed in it. The address bar contains
 * that (browser/save-in-history-entry.ts), but the server only knows the router's URL.
 */
function keepTyped(error: unknown, url: string): void {
  if (!(error instanceof Response)) return;
  const { location } = window;
  const { pathname, search } = new URL(url);
  const isOpen = pathname === location.pathname && error.headers.get("Location") === toLogin(pathname + search);
  if (isOpen && !isNavigating()) error.headers.set("Location", toLogin(pathname + location.search));
}

const toLogin = (redirect: string) => paths.login({ redirect });

/** Whether the network or the server failed. Redirects and refusals are responses, which the page must show. */
function isOutage(error: unknown): boolean {
  if (isRouteErrorResponse(error)) return error.status === 429 || error.status >= 500;
  return error instanceof Error;
}

/**
 * Whether it is unknown if the request arrived. fetch throws a TypeError if the network fails, and Remix another error
 * if it can't decode the response, such as one from a proxy, or one of our plain-text refusals. The server's own errors
 * are rethrown.
 */
function isLost(error: unknown): boolean {
  return isRouteErrorResponse(error) ? isOutage(error) : /^TypeError|to decode/.test(String(error));
}

/** Creates a route's client action that invalidates what the action may have changed, even if it failed. */
export function invalidates(...names: QueryName[]) {
  return async (args: ClientActionFunctionArgs) => {
    try {
      return await send(args);
    } finally {
      invalidateQueries(...names);
    }
  };
}

/** A client action that clears the whole cache, for signing in and out: every page may look different afterwards. */
export async function invalidatesEverything(args: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await send(args);
  } finally {
    clearQueryCache();
  }
}

/**
 * The action's result, or `noResponse`. In that case, the layout shows a message (failures.ts), and the page with the
 * form stays open, even though the router was about to open the page that the form posts to.
 */
async function send({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  const form = await request.clone().formData();
  const setLost = (lost: boolean) => {
    // A lost request does no harm if it would not change anything, or if the page sent it automatically.
    if (!readOnlyIntents.has(form.get("intent")) && !form.has("automatic")) setFailed("form", lost);
  };
  setLost(false);
  try {
    return await serverAction<unknown>();
  } catch (error) {
    clearIfSignedOut(error);
    if (!isLost(error)) throw error;
    setLost(true);
    stayOnPage();
    return noResponse;
  }
}

/** The data that the document contained for a route, if the document was for this URL. */
function findInDocument(routeId: string, url: string): unknown {
  const [document] = performance.getEntriesByType("navigation");
  if (url !== "" && toCacheKey(new URL(document?.name ?? "", window.location.href)) !== url) return undefined;
  return getDocumentData(routeId);
}

function toCacheKey({ pathname, search }: { pathname: string; search: string }): string {
  return pathname.replace(/\/$/, "") + search;
}
