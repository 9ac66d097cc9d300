import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet } from "@remix-run/react";
import { withoutScripts } from "~/components/shell/use-scripts";
import { askOnGoing } from "~/session/client-cache";
import { markVisited } from "~/session/guards.server";
import { whenItMayHaveChanged } from "~/session/should-revalidate";

/** R03: whoever is here has had the first visit. */
export async function loader(args: LoaderFunctionArgs) {
  await markVisited(args);
  return null;
}

/** Whoever only points at the way here has not been here yet. */
export const clientLoader = askOnGoing;

export const shouldRevalidate = whenItMayHaveChanged;

/** Words, drawings and links: nothing here needs React in the browser. */
export const handle = withoutScripts;

export default function Welcome() {
  return <Outlet />;
}
