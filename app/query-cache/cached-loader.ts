import type { ClientActionFunctionArgs, ClientLoaderFunctionArgs } from "@remix-run/react";
import { queryStaleMs } from "~/lib/constants";
import {
  clearQueryCache,
  getInvalidationCount,
  invalidateQueries,
  isInvalidated,
  type QueryName,
} from "./invalidation";
import { setResponseLost } from "./lost-response";
import { readOnlyIntents } from "./revalidation-policy";

/**
 * K07: creates a route's client loader, which caches the server's data by the names of what it contains
 * and by URL, so that navigating back and forth loads nothing that is fresh. Data sent with the
 * document counts as loaded. Redirects and errors are not cached, and not retried here, because the
 * server retries its own calls (C11).
 */
export function cachedLoader(routeId: string, ...names: QueryName[]) {
  return async ({ request, serverLoader }: ClientLoaderFunctionArgs) => {
    const { pathname, search } = new URL(request.url);
    // The user is the same on every page.
    const url = names.includes("user") ? "" : toCacheKey(pathname, search);
    const { getQueryClient } = await import("./query-client");
    const client = getQueryClient();
    const queryKey = [...names, url];
    if (!isInvalidated(names) && client.getQueryState(queryKey) === undefined) {
      const documentData = findInDocument(routeId, url);
      if (documentData !== undefined)
        client.setQueryData(queryKey, documentData, { updatedAt: performance.timeOrigin });
    }
    const cached = client.getQueryState(queryKey);
    const isFresh = cached?.data !== undefined && Date.now() - cached.dataUpdatedAt < queryStaleMs;
    if (isFresh) return cached.data;
    // Not fetchQuery: clearing the cache while it runs would cancel it, and the page would have no data.
    const countBefore = getInvalidationCount();
    const data = await serverLoader<unknown>();
    // Data that was invalidated while it was loading is shown but not cached.
    if (getInvalidationCount() === countBefore) client.setQueryData(queryKey, data);
    return data;
  };
}

/**
 * The client loader of a route whose data must not be cached. Without a client loader, Remix would
 * prefetch the data on hover and then load it again on navigation.
 */
export function noPrefetch({ serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> {
  return serverLoader<unknown>();
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

/** A client action that clears the whole cache, for signing in: every page may look different afterwards. */
export async function invalidatesEverything(args: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await send(args);
  } finally {
    clearQueryCache();
  }
}

/** The action's result, or null if there was no response: the layout then shows a message (lost-response.ts). */
async function send({ request, serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  const form = await request.clone().formData();
  // Losing a request that changes nothing does no harm.
  const setLost = readOnlyIntents.has(form.get("intent")) ? () => undefined : setResponseLost;
  setLost(false);
  try {
    return await serverAction<unknown>();
  } catch (error) {
    // fetch throws a TypeError if the network fails.
    if (!(error instanceof TypeError)) throw error;
    setLost(true);
    return null;
  }
}

/** The data that the document contained for a route, if the document was for this URL. */
function findInDocument(routeId: string, url: string): unknown {
  const [document] = performance.getEntriesByType("navigation");
  const { pathname, search } = new URL(document?.name ?? "", window.location.href);
  if (url !== "" && toCacheKey(pathname, search) !== url) return undefined;
  return window.__remixContext.state.loaderData?.[routeId];
}

function toCacheKey(pathname: string, search: string): string {
  return pathname.replace(/\/$/, "") + search;
}
