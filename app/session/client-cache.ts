import type { ClientActionFunctionArgs, ClientLoaderFunctionArgs } from "@remix-run/react";
import { queryStaleMs } from "~/lib/constants";
import { emptyQueryCache, forgetQueries, getForgetCount, isForgotten, type QueryName } from "./cache-registry";
import { tellUnanswered } from "./unanswered";

/**
 * A route's client loader: the server's answer through the query cache (K07), by the names
 * of what is in it and its address. Going back and forth asks the server nothing that is
 * known and fresh, what came with the document included. A redirect or a raised text is not
 * kept, and not repeated here: the server has repeated its calls (C11).
 */
export function throughCache(routeId: string, ...names: QueryName[]) {
  return async ({ request, serverLoader }: ClientLoaderFunctionArgs) => {
    const { pathname, search } = new URL(request.url);
    // Who is here is the same at every address.
    const address = names.includes("user") ? "" : toAddress(pathname, search);
    const { getQueryClient } = await import("./query-client");
    const client = getQueryClient();
    const queryKey = [...names, address];
    if (!isForgotten(names) && client.getQueryState(queryKey) === undefined) {
      const loaded = findInDocument(routeId, address);
      if (loaded !== undefined) client.setQueryData(queryKey, loaded, { updatedAt: performance.timeOrigin });
    }
    const known = client.getQueryState(queryKey);
    const fresh = known?.data !== undefined && Date.now() - known.dataUpdatedAt < queryStaleMs;
    if (fresh) return known.data;
    // Not fetchQuery: emptying the cache under way would end it, and a page without its data shows nothing.
    const asked = getForgetCount();
    const data = await serverLoader<unknown>();
    // What was forgotten meanwhile may be in this answer: it is shown, and not kept.
    if (getForgetCount() === asked) client.setQueryData(queryKey, data);
    return data;
  };
}

/**
 * For a route whose answer is kept nowhere. Without a client loader Remix asks for it at the mere
 * intent to go there and, since it was not kept, again on going; with this one on going alone.
 */
export function askOnGoing({ serverLoader }: ClientLoaderFunctionArgs): Promise<unknown> {
  return serverLoader<unknown>();
}

/** A route's client action: what it changes is forgotten, whether it went well or led elsewhere. */
export function changing(...names: QueryName[]) {
  return async (args: ClientActionFunctionArgs) => {
    try {
      return await send(args);
    } finally {
      forgetQueries(...names);
    }
  };
}

/** Who signs in or proves something is somebody else to every page: nothing known before counts. */
export async function changingEverything(args: ClientActionFunctionArgs): Promise<unknown> {
  try {
    return await send(args);
  } finally {
    emptyQueryCache();
  }
}

/** The action's answer; null where none came, which every page tells (session/unanswered.ts) and none takes for a failure. */
async function send({ serverAction }: ClientActionFunctionArgs): Promise<unknown> {
  tellUnanswered(false);
  try {
    return await serverAction<unknown>();
  } catch (error) {
    // What fetch raises without a network, in every browser.
    if (!(error instanceof TypeError)) throw error;
    tellUnanswered(true);
    return null;
  }
}

/** What the server sent with the document for a route, where the document was of this address. */
function findInDocument(routeId: string, address: string): unknown {
  const [document] = performance.getEntriesByType("navigation");
  const { pathname, search } = new URL(document?.name ?? "", window.location.href);
  if (address !== "" && toAddress(pathname, search) !== address) return undefined;
  return window.__remixContext.state.loaderData?.[routeId];
}

function toAddress(pathname: string, search: string): string {
  return pathname.replace(/\/$/, "") + search;
}
