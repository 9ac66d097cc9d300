/**
 * Options for Remix's Vite plugin; vite.config.ts imports them.
 * @type {import('@remix-run/dev').VitePluginConfig}
 */
export default {
  appDirectory: "app",
  ignoredRouteFiles: ["**/*"],
  serverModuleFormat: "esm",
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
