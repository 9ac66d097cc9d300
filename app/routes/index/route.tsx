import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/lib/paths";
import { replaceWith } from "~/session/responses.server";

/** R01: leads to the start page. */
export function loader(args: LoaderFunctionArgs) {
  return replaceWith(args, paths.swap);
}

/** Never rendered. Without a component, Remix would treat this as a resource route, which has no error screen. */
export default function Index() {
  return null;
}
