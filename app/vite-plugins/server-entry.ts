import type { Plugin } from "vite";

/**
 * Adds server.ts as a second entry of the server build, so that `npm start` and remix-serve
 * run the same code. Runs after Remix's plugin, which sets its own input: Remix has no option
 * for a second one (https://github.com/remix-run/remix/pull/8818, closed).
 */
export function serverEntry(): Plugin {
  return {
    name: "antelope:server-entry",
    apply: (_config, { command, isSsrBuild }) => command === "build" && isSsrBuild === true,
    enforce: "post",
    config: () => ({
      build: {
        rolldownOptions: {
          // Otherwise Rolldown may put shared code into server.js, and importing index.js would start a server.
          preserveEntrySignatures: "strict",
          input: { index: "virtual:remix/server-build", server: "./server.ts" },
          output: { entryFileNames: "[name].js" },
        },
      },
    }),
  };
}
