import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";
import fresh from "fresh";
import { onlyReads } from "../lib/http/methods";
import { chooseEncoding, type Encoding } from "./choose-encoding.server";

type StaticFile = {
  type: string;
  /** The name contains a hash of the content, so browsers may cache it forever. */
  immutable: boolean;
  paths: Map<Encoding, string>;
  loaded: Map<Encoding, { body: Buffer; etag: string }>;
};

/** The suffixes of the compressed files that `npm run build` writes beside each file. */
const suffixes: Record<string, Encoding> = { ".br": "br", ".gz": "gzip" };

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".jpg": "image/jpeg",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".map": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/** Wallets that are web pages show it beside a request to connect (wallet/wallet-connect/client.ts). */
const filesForOtherSites = new Set(["/icon-192.png"]);

/**
 * Serves the built browser files from memory, in the encoding that the client prefers. A few
 * megabytes in all: each is read on its first request. Files are listed once at start, so a
 * request's path never reaches the file system. docs/decisions/0015-static-files.md explains why we don't use a
 * library.
 */
export function createStaticFiles(directory: string, headers: OutgoingHttpHeaders) {
  const files = listFiles(directory);

  /** Returns false if the path is not a file. */
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    if (!onlyReads(incoming)) return false;
    const path = (incoming.url ?? "/").split("?", 1)[0] ?? "/";
    const file = files.get(path);
    if (!file) return false;
    const encoding = chooseEncoding(incoming.headers["accept-encoding"], [...file.paths.keys()]);
    const { body, etag } = load(file, encoding);
    const common = {
      ...headers,
      ...(filesForOtherSites.has(path) && { "Cross-Origin-Resource-Policy": "cross-origin" }),
      "Cache-Control": file.immutable ? "public, max-age=31536000, immutable" : "public, max-age=3600",
      ETag: etag,
      Vary: "Accept-Encoding",
    };
    if (fresh({ "if-none-match": incoming.headers["if-none-match"] }, { etag })) {
      outgoing.writeHead(304, common).end();
      return true;
    }
    outgoing.writeHead(200, {
      ...common,
      "Content-Type": file.type,
      "Content-Length": body.length,
      ...(encoding !== "identity" && { "Content-Encoding": encoding }),
    });
    outgoing.end(incoming.method === "HEAD" ? undefined : body);
    return true;
  };
  /** Returns undefined if the path is not a file. */
  const readText = (path: string): string | undefined => {
    const file = files.get(path);
    return file && load(file, "identity").body.toString();
  };
  return { serve, readText };
}

function listFiles(directory: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  for (const name of names.sort()) {
    const path = join(directory, name);
    if (!statSync(path).isFile()) continue;
    const encoding = suffixes[extname(name)];
    const plain = encoding ? name.slice(0, -extname(name).length) : name;
    const url = `/${plain.split(sep).join("/")}`;
    const file: StaticFile = files.get(url) ?? {
      type: types[extname(plain)] ?? "application/octet-stream",
      immutable: url.startsWith("/assets/"),
      paths: new Map(),
      loaded: new Map(),
    };
    file.paths.set(encoding ?? "identity", path);
    files.set(url, file);
  }
  // Files that exist only in compressed form are not served.
  for (const [url, { paths }] of files) if (!paths.has("identity")) files.delete(url);
  return files;
}

function load(file: StaticFile, encoding: Encoding) {
  const known = file.loaded.get(encoding);
  if (known) return known;
  const path = file.paths.get(encoding);
  if (path === undefined) throw new Error("A compressed static file has no uncompressed original.");
  const body = readFileSync(path);
  const loaded = { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
  file.loaded.set(encoding, loaded);
  return loaded;
}
