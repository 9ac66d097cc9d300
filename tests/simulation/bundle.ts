import { mkdir, mkdtemp } from "node:fs/promises";
import { join, resolve } from "node:path";
import { build, type Plugin } from "vite";
import type { Edit, Mutant } from "./mutants";

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

/** Makes one change. @throws Error if the text to replace is not there exactly once */
export function plant(code: string, { file, find, replace }: Edit): string {
  const parts = code.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} times: ${find}`);
  return parts.join(replace);
}

function toPlugin({ edits }: Mutant): Plugin {
  return {
    name: "mutant",
    enforce: "pre",
    transform: (code, id) => edits.filter(({ file }) => id === resolve(file)).reduce(plant, code),
  };
}
