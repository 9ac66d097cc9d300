import { useRouteLoaderData } from "@remix-run/react";
import type { QueryClient } from "@tanstack/react-query";
import { type LayoutData, layoutRouteId } from "~/loaded-data/layout-data";

/** R21: the auth state, the user and the query client, for every route inside the layout. */
export type RouteContext = LayoutData & {
  /** Loads React Query at the first call, to keep it out of the first page load. */
  loadQueryClient: () => Promise<QueryClient>;
};

const signedOut: LayoutData = { auth: "signed-out", user: null, userError: null, email: null };

async function loadQueryClient(): Promise<QueryClient> {
  const { getQueryClient } = await import("~/query-cache/query-client");
  return getQueryClient();
}

/** Outside the layout, and on the root's error screen, the visitor counts as signed out. */
export function useRouteContext(): RouteContext {
  return { ...(useRouteLoaderData<LayoutData>(layoutRouteId) ?? signedOut), loadQueryClient };
}
