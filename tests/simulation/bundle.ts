import { mkdir, mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Plugin } from "vite";
import type { Mutant } from "./mutants";

const cache = resolve("node_modules/.cache/simulation");

/**
 * Builds the worker into one file, with a mutant's fault in it if there is one, and returns its path.
 * The caller removes its directory. Packages stay outside, except drizzle, whose `is` is replaced.
 */
export async function buildWorker(mutant: Mutant | null): Promise<string> {
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, "worker-"));
  await build({
    configFile: false,
    logLevel: "error",
    resolve: { alias: { "~": resolve("app") } },
    plugins: [replaceDrizzleIs, ...(mutant ? [toPlugin(mutant)] : [])],
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

/**
 * `is` compares classes by name, so that several copies of drizzle work together. There is one copy
 * here, and a tenth of a history's time was spent on the comparison.
 */
const replaceDrizzleIs: Plugin = {
  name: "replace-drizzle-is",
  enforce: "pre",
  transform(code, id) {
    if (!/\/drizzle-orm\/entity\.js$/.test(id)) return null;
    return `${code.replace("function is(", "function isByName(")}
function is(value, type) { return value instanceof type; }`;
  },
};

/** Plants a mutant's fault. @throws Error if the text to replace is not in the file exactly once */
export function plant({ name, file, find, replace }: Mutant, code: string): string {
  const parts = code.split(find);
  if (parts.length !== 2) throw new Error(`mutant ${name}: found ${parts.length - 1} times in ${file}: ${find}`);
  return parts.join(replace);
}

function toPlugin(mutant: Mutant): Plugin {
  const path = resolve(mutant.file);
  return {
    name: "mutant",
    enforce: "pre",
    transform: (code, id) => (id === path ? plant(mutant, code) : null),
  };
}
