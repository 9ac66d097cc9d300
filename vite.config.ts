import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { vitePlugin as remix } from "@remix-run/dev";
import { vanillaExtractPlugin } from "@vanilla-extract/vite-plugin";
import { defineConfig, loadEnv } from "vite";
import { bundlePackages } from "./app/vite-plugins/bundle-packages.ts";
import { compressAssets } from "./app/vite-plugins/compress-assets.ts";
import { fixRemixFlags } from "./app/vite-plugins/fix-remix-flags.ts";
import { fixStylePrefetch } from "./app/vite-plugins/fix-style-prefetch.ts";
import { hashPluginsIntoNames } from "./app/vite-plugins/hash-plugins-into-names.ts";
import { minifySharedChunks } from "./app/vite-plugins/minify-shared-chunks.ts";
import { moveRuntime } from "./app/vite-plugins/move-runtime.ts";
import { packChunks } from "./app/vite-plugins/pack-chunks.ts";
import { reloadOnceForChunks } from "./app/vite-plugins/reload-once.ts";
import { serverEntry } from "./app/vite-plugins/server-entry.ts";
import { trimManifest } from "./app/vite-plugins/trim-manifest.ts";
import { trimRemix } from "./app/vite-plugins/trim-remix.ts";
import remixConfig from "./remix.config.js";

declare module "@remix-run/node" {
  interface Future {
    v3_singleFetch: true;
  }
}

const root = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig(({ mode }) => ({
  plugins: [
    vanillaExtractPlugin(),
    remix(remixConfig),
    serverEntry(),
    bundlePackages(),
    fixRemixFlags({ ...remixConfig.future }),
    trimRemix(),
    fixStylePrefetch(),
    packChunks(),
    moveRuntime(),
    minifySharedChunks(),
    reloadOnceForChunks(),
    trimManifest(),
    hashPluginsIntoNames(),
    compressAssets(),
  ],
  resolve: { alias: { "~": join(root, "app") } },
  // Forms and passkeys would not work on a port that differs from the port in ORIGIN.
  server: { port: Number(loadEnv(mode, root, "PORT").PORT || 3000), strictPort: true },
  build: {
    target: "es2022",
    // Lightning CSS, the default, moves `font-variant-numeric` before `font`, which resets it.
    cssMinify: "esbuild",
    assetsInlineLimit: 0,
    // The sizes that Vite prints cost a compression each; `npm run bench` measures them.
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Leaves out 1,460 modules that index files of packages re-export and nothing uses, as viem's chains.
      experimental: { lazyBarrel: true },
    },
  },
  optimizeDeps: {
    // Vite would find these only when a page loads them, and then reload that page.
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
      "@scure/base",
      "@simplewebauthn/browser",
      "@walletconnect/sign-client",
      "qr",
    ],
  },
}));
