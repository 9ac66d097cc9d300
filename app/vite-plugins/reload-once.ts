import type { Plugin } from "vite";
import { patchRemix } from "./patch-remix.ts";

const tryReload = "window.__antelopeReloadOnce?.(error)";
const open = "(args) => window.__antelopeReloadOnce?.(error, args.request)";

/**
 * E17: Remix reloads the page whenever a route's code fails to load, endlessly if the file
 * is really gone, and also while our server is unreachable. This sends its reload through
 * app/browser/reload-once.ts. If that does not reload, the route gets a loader and an action that keep the open page if
 * the network failed, and otherwise throw, so the error screen shows. (Throwing right here, or leaving them out, would
 * leave the navigation waiting for them.) A route that has neither gets a component that throws. The router keeps all of
 * them: opening the route again tries again.
 *
 * Adds 150 bytes. Upstream: https://github.com/remix-run/remix/pull/8932 introduced the reload.
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
        to: `if (!(await ${tryReload})) {
      const open = ${open};
      return {
        clientLoader: route.hasClientLoader && open,
        clientAction: route.hasClientAction && open,
        default() { ${tryReload}; throw error; },
      };
    }
    return new Promise(`,
      },
    ],
  });
}
