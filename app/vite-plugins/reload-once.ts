import type { Plugin } from "vite";

const remixReload = "window.location.reload();\n    return new Promise(";
const reloadOnce =
  "if (!window.__antelopeReloadOnce?.(error)) return { default() { throw error; } };\n    return new Promise(";

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
  return {
    name: "antelope:reload-once",
    apply: "build",
    transform(code, id) {
      if (!/@remix-run\/react\/dist\/esm\/routeModules\.js/.test(id)) return;
      if (!code.includes(remixReload)) this.error("Remix's routeModules.js has changed: its reload was not found.");
      return { code: code.replace(remixReload, reloadOnce), map: null };
    },
  };
}
