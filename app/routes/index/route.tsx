import { replace } from "@remix-run/node";

/** R01: the index of the layout leads at once to /swap. */
export function loader() {
  return replace("/swap");
}

/** Never seen. Without one Remix takes the address for no page, and what it refuses gets no error screen. */
export default function Index() {
  return null;
}
