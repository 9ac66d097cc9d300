import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fingerprintSources } from "./app/commands/build-when-stale.js";

/** Of the sources before the build: if one changes while it runs, `npm start` builds again. */
const fingerprint = fingerprintSources();

/**
 * Options for Remix's Vite plugin; vite.config.ts imports them.
 * @type {import('@remix-run/dev').VitePluginConfig}
 */
export default {
  appDirectory: "app",
  ignoredRouteFiles: ["**/*"],
  serverModuleFormat: "esm",
  // A build begins by deleting this directory: without the file, `npm start` knows that one was interrupted.
  buildEnd: ({ remixConfig }) => writeFileSync(join(remixConfig.buildDirectory, "complete"), fingerprint),
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_routeConfig: true,
    v3_singleFetch: true,
    // With it, one request to /__manifest with a long path costs up to 1 s of CPU (T15).
    v3_lazyRouteDiscovery: false,
  },
};
