import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { extname, join, resolve } from "node:path";
import { build, type Loader, type Plugin } from "esbuild";

const cache = resolve("node_modules/.cache/test-processes");

/** A script that was bundled into one file. */
export type Bundle = { path: string; remove(): Promise<void> };

/**
 * Builds a script into one file, so that a process starts in a tenth of the time. Packages that bring
 * files of their own stay outside. Vite would take several seconds for the same. `edit` may change modules: it gets
 * the code and the path of each, and returns null for those that stay as they are.
 */
export async function bundle(
  script: string,
  edit: (code: string, path: string) => string | null = () => null,
): Promise<Bundle> {
  await mkdir(cache, { recursive: true });
  const outDir = await mkdtemp(join(cache, "process-"));
  const path = join(outDir, "process.mjs");
  await build({
    entryPoints: [script],
    outfile: path,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["@electric-sql/pglite", "pg", "pino"],
    // Packages written for `require` need it for Node's own modules.
    banner: {
      js: 'import { createRequire as toRequire } from "node:module"; const require = toRequire(import.meta.url);',
    },
    plugins: [toPlugin(edit)],
    logLevel: "error",
  });
  return { path, remove: () => rm(outDir, { recursive: true, force: true }) };
}

function toPlugin(edit: (code: string, path: string) => string | null): Plugin {
  return {
    name: "edit",
    setup(process) {
      process.onLoad({ filter: /\.[jt]s$/ }, async ({ path }) => {
        const contents = edit(await readFile(path, "utf8"), path);
        return contents === null ? null : { contents, loader: extname(path).slice(1) as Loader };
      });
    },
  };
}
