import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The plugins that change files after Rolldown has named them by their content, and what they import. */
const changing = ["document-only.ts", "minify-shared-chunks.ts", "move-runtime.ts", "trim-manifest.ts"];

/**
 * Makes the names of chunks, and therefore the manifest's name, depend on the plugins that change them afterwards, and
 * on Terser. Otherwise, changing only these would change the bytes at a URL that browsers cache for a year.
 */
export function hashPluginsIntoNames(rules = readRules()): Plugin {
  const hash = createHash("sha256").update(rules).digest("hex");
  return { name: "antelope:hash-plugins-into-names", apply: "build", augmentChunkHash: () => hash };
}

function readRules(): string {
  const { version } = createRequire(import.meta.url)("terser/package.json") as { version: string };
  return [version, ...changing.map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))].join("\n");
}
