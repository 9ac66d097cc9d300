import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
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
    async closeBundle() {
      if (directory === "") return;
      const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
      const files = names
        // Remix removes Vite's own manifest at the end.
        .filter((name) => compressible.has(extname(name)) && !name.startsWith(".vite"))
        .map((name) => join(directory, name));
      await Promise.all(files.filter((path) => statSync(path).isFile()).map(compress));
    },
  };
}

/** Asynchronous, because Node then compresses several files at once. */
async function compress(path: string): Promise<void> {
  const body = readFileSync(path);
  if (body.length < minimumBytes) return;
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  const [br, gz] = await Promise.all([promisify(brotliCompress)(body, quality), promisify(gzip)(body, { level: 9 })]);
  writeIfSmaller(`${path}.br`, br, body);
  writeIfSmaller(`${path}.gz`, gz, body);
}

function writeIfSmaller(path: string, compressed: Buffer, body: Buffer): void {
  if (compressed.length < body.length * 0.95) writeFileSync(path, compressed);
}
