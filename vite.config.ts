import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig } from "vite";
import { fixRemixFlags, minifyFurther, packChunks } from "./app/commands/first-page-bytes";
import { compressAssets, reloadOnceForChunks, serverEntry } from "./app/commands/vite-plugins";
import remixConfig from "./remix.config.js";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

export default defineConfig({
  plugins: [
    vanillaExtractPlugin(),
    remix(remixConfig),
    serverEntry(),
    fixRemixFlags({ ...remixConfig.future }),
    packChunks(),
    minifyFurther(),
    reloadOnceForChunks(),
    compressAssets(),
  ],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  server: { port: 3000 },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    // Nobody reads them, and each costs a compression.
    reportCompressedSize: false,
  },
  optimizeDeps: {
    // Found late, each of these would reload the page in the middle of the first visit.
    include: [
      "react",
      "react-dom/client",
      "@remix-run/react",
      "remix-utils/use-hydrated",
      "@vanilla-extract/recipes/createRuntimeFn",
      "wagmi",
      "wagmi/chains",
      "wagmi/actions",
      "viem",
      "viem/accounts",
      "viem/actions",
      "viem/chains",
      "@tanstack/react-query",
      "@simplewebauthn/browser",
    ],
  },
});
