import { useRouteLoaderData } from "@remix-run/react";
import type { QueryClient } from "@tanstack/react-query";
import { type LayoutData, layoutRouteId } from "./layout-data";

/** R21: the auth state, the user and the query cache's client, for every route of the layout. */
export type RouteContext = LayoutData & {
  /** Loaded when it is first asked for: it is in no first page. */
  loadQueryClient: () => Promise<QueryClient>;
};

const nobody: LayoutData = { auth: "signed-out", user: null, userError: null, email: null };

async function loadQueryClient(): Promise<QueryClient> {
  const { getQueryClient } = await import("./query-client");
  return getQueryClient();
}

/** Outside the layout, and in error screens of the root, nobody is signed in as far as the screen knows. */
export function useRouteContext(): RouteContext {
  return { ...(useRouteLoaderData<LayoutData>(layoutRouteId) ?? nobody), loadQueryClient };
}
