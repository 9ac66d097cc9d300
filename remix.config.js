/**
 * Remix's own options. `vite.config.ts` hands them to the plugin.
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
    // One request to /__manifest with a long path costs 0.7-1 s of CPU otherwise.
    v3_lazyRouteDiscovery: false,
  },
};
