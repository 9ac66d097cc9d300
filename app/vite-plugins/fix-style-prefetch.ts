import type { Plugin } from "vite";

const original = "Object.assign(link, descriptor);";
const fixed = 'Object.assign(link, descriptor, { rel: "stylesheet", media: "not all" });';

/**
 * Before a navigation Remix loads the next page's stylesheets with `<link rel="preload">`. If that page then
 * redirects, they are not used, and browsers warn about it: on /welcome after signing up, for example. A
 * stylesheet for no medium is loaded just as well, in every browser, without a warning.
 *
 * Costs 20 bytes. Upstream: https://github.com/remix-run/remix/issues/4257, closed without a change. The build and a
 * test fail if Remix's code is not as expected.
 */
export function fixStylePrefetch(): Plugin {
  return {
    name: "antelope:fix-style-prefetch",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    transform(code, id) {
      if (!/@remix-run\/react\/dist\/esm\/links\.js/.test(id)) return;
      if (code.split(original).length !== 2)
        this.error(`Remix's links.js has changed: ${original} was not found once.`);
      return { code: code.replace(original, fixed), map: null };
    },
  };
}
