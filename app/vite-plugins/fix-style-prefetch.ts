import type { Plugin } from "vite";
import { patchRemix } from "./patch-remix.ts";

/**
 * Before a navigation Remix loads the next page's stylesheets with `<link rel="preload">`. If that page then
 * redirects, they are not used, and browsers warn about it: on /welcome after signing up, for example. A
 * stylesheet for no medium is loaded just as well, in every browser, without a warning.
 *
 * Costs 20 bytes. Upstream: https://github.com/remix-run/remix/issues/4257, closed without a change. The build and a
 * test fail if Remix's code is not as expected.
 */
export function fixStylePrefetch(): Plugin {
  return patchRemix({
    name: "antelope:fix-style-prefetch",
    patches: [
      {
        file: "react/dist/esm/links.js",
        from: "Object.assign(link, descriptor);",
        to: 'Object.assign(link, descriptor, { rel: "stylesheet", media: "not all" });',
      },
    ],
  });
}
