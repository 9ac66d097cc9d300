import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/lib/paths";
import { replaceWith } from "~/session/responses.server";

/** R03: leads to the first step. */
export function loader(args: LoaderFunctionArgs) {
  return replaceWith(args, paths.welcomeStep(1));
}

/** Never rendered. Without a component, Remix would treat this as a resource route, which has no error screen. */
export default function WelcomeIndex() {
  return null;
}
