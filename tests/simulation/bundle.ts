import { mkdir, mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Plugin } from "vite";
import { fasterDrizzle } from "./faster-drizzle";
import type { Mutant } from "./mutants";
import { plant } from "./plant";

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
    plugins: [fasterDrizzle, ...(mutant ? [toPlugin(mutant)] : [])],
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

function toPlugin({ edits }: Mutant): Plugin {
  return {
    name: "mutant",
    enforce: "pre",
    transform: (code, id) => edits.filter(({ file }) => id === resolve(file)).reduce(plant, code),
  };
}
