import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet } from "@remix-run/react";
import { withoutScripts } from "~/components/shell/use-scripts";
import { uncachedLoader } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { getScope } from "~/session/scope.server";

/** R03: opening a welcome page counts as the first visit. */
export async function loader(args: LoaderFunctionArgs) {
  (await getScope(args)).markVisited();
  return null;
}

/** Prefetching a link to a welcome page must not count as a visit. */
export const clientLoader = uncachedLoader("routes/welcome/route");

export const shouldRevalidate = revalidationPolicy;

/** The pages are static, so they work without React in the browser. */
export const handle = withoutScripts;

export default function Welcome() {
  return <Outlet />;
}
