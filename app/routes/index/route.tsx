import { replace } from "@remix-run/node";
import { paths } from "~/lib/paths";

/** R01 */
export function loader() {
  return replace(paths.swap);
}

/** Never rendered. Without a component, Remix would treat this as a resource route, which has no error screen. */
export default function Index() {
  return null;
}
