import type { Plugin } from "vite";

/**
 * Packages of many small files that every start loads. They exchange no objects with packages outside the bundle, as Hono
 * would with @hono/zod-openapi. wagmi, which also uses viem, runs only in browsers.
 */
const packages = [
  "viem",
  "ox",
  "abitype",
  "drizzle-orm",
  "ky",
  "@simplewebauthn/server",
  /^@noble\//,
  /^@scure\//,
  /^@bufbuild\//,
];

/**
 * Bundles these packages with the server's own code. Node takes longer to find, read and link 700 files than to run a few
 * large ones.
 */
export function bundlePackages(): Plugin {
  return {
    name: "antelope:bundle-packages",
    apply: (_config, { command, isSsrBuild }) => command === "build" && isSsrBuild === true,
    config: () => ({ ssr: { noExternal: packages } }),
  };
}
