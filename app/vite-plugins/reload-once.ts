import type { Plugin } from "vite";
import { patchRemix } from "./patch-remix.ts";

const tryReload = "window.__antelopeReloadOnce?.(error)";

/**
 * E17: Remix reloads the page whenever a route's code fails to load, endlessly if the file
 * is really gone, and also while our server is unreachable. This sends its reload through
 * app/browser/reload-once.ts. If that does not reload, the route renders a component that throws, so the error screen
 * shows. (Throwing right here would leave the navigation waiting for the route's loader.) The router keeps this
 * component: opening the route again tries the reload again.
 *
 * Adds 80 bytes. Upstream: https://github.com/remix-run/remix/pull/8932 introduced the reload.
 * The build and a test fail if Remix's code is not as expected.
 */
export function reloadOnceForChunks(): Plugin {
  return patchRemix({
    name: "antelope:reload-once",
    apply: "build",
    patches: [
      {
        file: "react/dist/esm/routeModules.js",
        from: "window.location.reload();\n    return new Promise(",
        to: `if (!(await ${tryReload})) return { default() { ${tryReload}; throw error; } };\n    return new Promise(`,
      },
    ],
  });
}
