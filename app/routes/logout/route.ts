import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/lib/paths";
import { invalidatesEverything } from "~/query-cache/cached-loader";
import { redirectTo, replaceWith } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";

/** Signing out is a POST. A GET redirects to the home page. */
export function loader(args: LoaderFunctionArgs) {
  return replaceWith(args, paths.home);
}

/** Ends the session at the exchange and in this browser. If the exchange doesn't end it, /login says so. */
export const action = siteAction(async (args) => {
  const scope = await getScope(args);
  await scope.signOut();
  // Not "cookies" or "storage", because hasVisited and the stored passkey must survive (T11).
  return redirectTo(args, paths.login(), { "Clear-Site-Data": '"cache"' });
});

export const clientAction = invalidatesEverything;
