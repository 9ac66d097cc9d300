import { mkdir, mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Plugin } from "vite";
import { fasterDrizzle } from "./faster-drizzle";
import type { Mutant } from "./mutants";
import { type Edit, plant } from "./plant";

const cache = resolve("node_modules/.cache/simulation");

/**
 * Builds the worker into one file, with a mutant's fault in it if there is one, and returns its path.
 * The caller removes its directory. Packages stay outside, except drizzle, which is made faster.
 */
export async function buildWorker(mutant: Mutant | null): Promise<string> {
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, "worker-"));
  await build({
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "~": resolve("app") } },
    plugins: [fasterDrizzle, toPlugin([rememberAddresses, ...(mutant?.edits ?? [])])],
    ssr: { noExternal: ["drizzle-orm"], target: "node" },
    build: {
      ssr: resolve("tests/simulation/worker-process.ts"),
      outDir,
      emptyOutDir: false,
      minify: false,
      target: "node20",
      rollupOptions: { output: { entryFileNames: "worker.mjs", format: "es" } },
    },
  });
  return join(outDir, "worker.mjs");
}

/** The wallet's addresses are the same in every history, and each costs milliseconds to derive. */
const rememberAddresses: Edit = {
  file: "app/sandbox.server/mobilecoin/keys.ts",
  find: "export function createAccountKeys(seed: string): AccountKeys {",
  replace: `const addresses = new Map<string, string>();
export function createAccountKeys(seed: string): AccountKeys {
  const { id, toAddress } = deriveAccountKeys(seed);
  const remember = (index: bigint) => {
    const key = seed + " " + index;
    const address = addresses.get(key) ?? toAddress(index);
    addresses.set(key, address);
    return address;
  };
  return { id, toAddress: remember };
}

function deriveAccountKeys(seed: string): AccountKeys {`,
};

function toPlugin(edits: readonly Edit[]): Plugin {
  return {
    name: "edits",
    enforce: "pre",
    transform: (code, id) => edits.filter(({ file }) => id === resolve(file)).reduce(plant, code),
  };
}
