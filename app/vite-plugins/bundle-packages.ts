import type { Plugin } from "vite";

/**
 * Packages of many small files that every start loads. Packages outside the bundle never use their objects on the
 * server. Hono is not among them, because @hono/zod-openapi extends its classes. wagmi uses viem, but only in browsers.
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
 * Bundles these packages with the server's own code. Node takes longer to find, read and link 700 files than to run a
 * few large ones.
 */
export function bundlePackages(): Plugin {
  return {
    name: "antelope:bundle-packages",
    apply: (_config, { command, isSsrBuild }) => command === "build" && isSsrBuild === true,
    config: () => ({ ssr: { noExternal: packages } }),
  };
}
