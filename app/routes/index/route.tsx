import { replace } from "@remix-run/node";

/** R01: the index of the layout leads at once to /swap. */
export function loader() {
  return replace("/swap");
}
