import type { Plugin } from "vite";

/**
 * Hides "Generated an empty chunk": each resource route has an empty module in the browser
 * build. Upstream: https://github.com/remix-run/remix/issues/9055 (closed: Remix 2 gets no fix).
 */
export function quietBuild(): Plugin {
  return {
    name: "antelope:quiet-build",
    apply: "build",
    onLog: (_level, { code }) => (code === "EMPTY_BUNDLE" ? false : null),
  };
}
