import type { Plugin } from "vite";
import { patchRemix } from "./patch-remix.ts";

/**
 * E17: Remix reloads the page whenever a route's code fails to load, without end if the file
 * is really gone. This sends its reload through app/browser/reload-once.ts. On a second
 * failure the route renders a component that throws, so the error screen shows. (Throwing
 * right here would leave the navigation waiting for the route's loader.)
 *
 * Adds 60 bytes. Upstream: https://github.com/remix-run/remix/pull/8932 introduced the reload.
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
        to: "if (!window.__antelopeReloadOnce?.(error)) return { default() { throw error; } };\n    return new Promise(",
      },
    ],
  });
}
