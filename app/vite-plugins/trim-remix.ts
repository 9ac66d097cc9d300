import type { Plugin } from "vite";

type Constants = readonly { from: RegExp; to: string }[];

/** What never happens in a browser on this site, as constants, by file. */
const constants: Record<string, Constants> = {
  // Flags that are always on (remix.config.js and Remix itself), routes that are discovered later, navigation blockers,
  // and the router's own deferred data, which Single Fetch has replaced by promises.
  "@remix-run/router/dist/router.js": [
    { from: /(?<![.\w])future\.v7_\w+/g, to: "true" },
    { from: /let (patchRoutesOnNavigationImpl) = init\.patchRoutesOnNavigation;/g, to: "const $1 = undefined;" },
    { from: /fogOfWar\.active(?! =)/g, to: "false" },
    { from: /(?<=if \(!?)isFogOfWar\b/g, to: "false" },
    { from: /let (blockerKey) = shouldBlockNavigation\(/g, to: "let $1 = undefined && shouldBlockNavigation(" },
    { from: /(?<=function isDeferred(?:Result\(result|Data\(value)\) \{)/g, to: " return false;" },
  ],
  // What only the server writes into <script>, and the scripts of deferred data.
  "@remix-run/react/dist/esm/components.js": [
    { from: /(?<=let contextScript = )staticContext(?= \?)/g, to: "false" },
    { from: /(?<=let routeModulesScript = )!isStatic(?= \?)/g, to: "true" },
    { from: /(?<=if \()!isStatic && typeof __remixContext === "object" && __remixContext\.a(?=\))/g, to: "false" },
  ],
};

/**
 * Replaces features of Remix and its router that no browser uses on this site by constants, so that the bundler drops
 * their code.
 *
 * Saves 1.9 kB with Brotli on every page.
 * Upstream: neither has a build without them, and the development of both versions has ended
 * (https://remix.run/blog/merging-remix-and-react-router).
 * The build and a test fail if the code is not as expected.
 */
export function trimRemix(): Plugin {
  return {
    name: "antelope:trim-remix",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    transform(code, id) {
      const file = Object.keys(constants).find((path) => id.split("?")[0]?.endsWith(`/${path}`));
      if (!file) return;
      let trimmed = code;
      for (const { from, to } of constants[file] ?? []) {
        if (trimmed.search(from) < 0) this.error(`${file} has changed: ${from} was not found.`);
        trimmed = trimmed.replace(from, to);
      }
      return { code: trimmed, map: null };
    },
  };
}
