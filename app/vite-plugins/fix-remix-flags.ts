import type { Plugin } from "vite";
import { patchRemix } from "./patch-remix.ts";

type Flags = Record<string, boolean | undefined>;

/**
 * Replaces Remix's future flags with constants in its browser code, so that the bundler drops the code for flags that
 * are off.
 *
 * Saves 3.5 kB with Brotli on every page (of 87 kB on /login).
 * Upstream: Remix reads the flags at run time (https://github.com/remix-run/remix/pull/8773)
 * and its development has ended; React Router 7 has no such flags.
 * The build and a test fail if Remix's code is not as expected.
 */
export function fixRemixFlags(flags: Flags): Plugin {
  const toValue = (_match: string, flag: string) => String(flags[flag] ?? false);
  const everywhere = { file: /^react\/dist\/esm\/[\w-]+\.js$/, optional: true };
  const fogOfWar = { from: /(?<!function )isFogOfWarEnabled\(future, isSpaMode\)/g, to: "false" };
  return patchRemix({
    name: "antelope:fix-remix-flags",
    patches: [
      { ...everywhere, from: /window\.__remixContext\.future\.(v3_\w+)/g, to: toValue },
      { ...everywhere, from: /(?<![.\w])future\.(v3_\w+)/g, to: toValue },
      { ...everywhere, from: /window\.__remixContext\.isSpaMode/g, to: "false" },
      // With Single Fetch, the route's data is never loaded without the `singleFetch` function.
      ...(flags.v3_singleFetch
        ? [{ file: "react/dist/esm/routes.js", from: /typeof singleFetch === "function"/g, to: "true" }]
        : []),
      ...(flags.v3_lazyRouteDiscovery
        ? []
        : ["fog-of-war.js", "components.js"].map((file) => ({ file: `react/dist/esm/${file}`, ...fogOfWar }))),
    ],
  });
}
