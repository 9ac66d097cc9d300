import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The plugins that change files after Rolldown has named them by their content. */
const changing = ["minify-shared-chunks.ts", "trim-manifest.ts"];

/**
 * Makes the names of chunks, and so that of the manifest, depend on the plugins that change them afterwards, and on
 * Terser. Otherwise, a change of only these would give other bytes to a URL that browsers keep for a year.
 */
export function nameByRules(rules = readRules()): Plugin {
  const hash = createHash("sha256").update(rules).digest("hex");
  return { name: "antelope:name-by-rules", apply: "build", augmentChunkHash: () => hash };
}

function readRules(): string {
  const { version } = createRequire(import.meta.url)("terser/package.json") as { version: string };
  return [version, ...changing.map((file) => readFileSync(join(import.meta.dirname, file), "utf8"))].join("\n");
}
