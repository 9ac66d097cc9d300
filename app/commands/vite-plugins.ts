/** What the build does besides Remix and vanilla-extract. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/**
 * server.ts as a second entry of the server build, sharing one chunk with the build that
 * remix-serve runs. It comes after Remix's plugin, which sets an input of its own.
 */
export function serverEntry(): Plugin {
  return {
    name: "antelope:server-entry",
    apply: (_config, { command, isSsrBuild }) => command === "build" && isSsrBuild === true,
    enforce: "post",
    config: () => ({
      build: {
        rollupOptions: {
          input: { index: "virtual:remix/server-build", server: "./server.ts" },
          output: { entryFileNames: "[name].js" },
        },
      },
    }),
  };
}

const compressible = new Set([".css", ".js", ".json", ".svg", ".txt", ".webmanifest", ".ico", ".html"]);
const smallest = 512;

/** Writes `.br` (11) and `.gz` (9) beside each browser file that shrinks by them; server.ts serves those. */
export function compressAssets(): Plugin {
  let directory = "";
  return {
    name: "antelope:compress-assets",
    apply: "build",
    configResolved(config) {
      // Remix writes its manifest and moves styles among the browser's files during the server build.
      if (config.build.ssr) directory = join(config.build.outDir, "../client");
    },
    closeBundle() {
      if (directory === "") return;
      for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
        const path = join(directory, name);
        if (!compressible.has(extname(name)) || !statSync(path).isFile()) continue;
        const body = readFileSync(path);
        if (body.length < smallest) continue;
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

const reloadByRemix = "window.location.reload();\n    return new Promise(";

/**
 * E17: Remix reloads the page for every route chunk that fails to load, without end where the
 * chunk is really gone. Its reload goes through `reloadOnce`; on a second failure of the same
 * kind the screen is one that throws it, so that the error screen shows. (Thrown here it would
 * leave the navigation waiting for ever for the route's loader, which then never runs.) The
 * build fails where Remix has changed here.
 */
export function reloadOnceForChunks(): Plugin {
  return {
    name: "antelope:reload-once",
    apply: "build",
    transform(code, id) {
      if (!/@remix-run\/react\/dist\/esm\/routeModules\.js/.test(id)) return;
      if (!code.includes(reloadByRemix)) this.error("Remix's reload of failed chunks is not where it was.");
      return {
        code: code.replace(
          reloadByRemix,
          "if (!window.__antelopeReloadOnce?.(error)) return { default() { throw error; } };\n    return new Promise(",
        ),
        map: null,
      };
    },
  };
}
