import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const compressible = new Set([".css", ".js", ".json", ".svg", ".txt", ".webmanifest", ".ico", ".html"]);
const minimumBytes = 512;

/** Writes a `.br` (level 11) and a `.gz` (level 9) beside each browser file that shrinks. The server sends those. */
export function compressAssets(): Plugin {
  let directory = "";
  return {
    name: "antelope:compress-assets",
    apply: "build",
    configResolved(config) {
      // Remix writes its manifest and moves styles to the browser's files during the server build.
      if (config.build.ssr) directory = join(config.build.outDir, "../client");
    },
    closeBundle() {
      if (directory === "") return;
      for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
        const path = join(directory, name);
        if (!compressible.has(extname(name)) || !statSync(path).isFile()) continue;
        const body = readFileSync(path);
        if (body.length < minimumBytes) continue;
        const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        writeIfSmaller(`${path}.br`, brotliCompressSync(body, quality), body);
        writeIfSmaller(`${path}.gz`, gzipSync(body, { level: 9 }), body);
      }
    },
  };
}

function writeIfSmaller(path: string, compressed: Buffer, body: Buffer): void {
  if (compressed.length < body.length * 0.95) writeFileSync(path, compressed);
}
