import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/lib/paths";
import { replaceWith } from "~/session/responses.server";

/** R03: the index leads to the first step, history replaced. */
export function loader(args: LoaderFunctionArgs) {
  return replaceWith(args, paths.welcomeStep(1));
}

/** Never seen: it makes a page of the address, so that what it refuses gets an error screen. */
export default function WelcomeIndex() {
  return null;
}
