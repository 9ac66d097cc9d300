import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { extname, join, sep } from "node:path";

type Encoding = "br" | "gzip";
type StaticFile = {
  type: string;
  /** Named by its content: may be kept for ever. */
  immutable: boolean;
  paths: Partial<Record<Encoding | "identity", string>>;
  loaded: Map<Encoding | "identity", { body: Buffer; etag: string }>;
};

/** What `npm run build` writes beside each file that shrinks. */
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

/**
 * The built browser files, from memory after their first use (a few megabytes in all), in
 * the encoding the browser takes. The list is made once: no path of a request ever reaches
 * the file system. Answers false where the request is for something else.
 */
export function createStaticFiles(directory: string, headers: OutgoingHttpHeaders) {
  const files = indexFiles(directory);

  return (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    if (incoming.method !== "GET" && incoming.method !== "HEAD") return false;
    const path = (incoming.url ?? "/").split("?", 1)[0] ?? "/";
    const file = files.get(path);
    if (!file) return false;
    const encoding = chooseEncoding(file, incoming.headers["accept-encoding"]);
    const { body, etag } = load(file, encoding);
    const common = {
      ...headers,
      "Cache-Control": file.immutable ? "public, max-age=31536000, immutable" : "public, max-age=3600",
      ETag: etag,
      Vary: "Accept-Encoding",
    };
    if (incoming.headers["if-none-match"]?.split(/\s*,\s*/).includes(etag)) {
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
}

function indexFiles(directory: string): Map<string, StaticFile> {
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
      paths: {},
      loaded: new Map(),
    };
    file.paths[encoding ?? "identity"] = path;
    files.set(url, file);
  }
  return files;
}

function chooseEncoding(file: StaticFile, accepted = ""): Encoding | "identity" {
  for (const encoding of ["br", "gzip"] as const) {
    if (file.paths[encoding] && accepts(accepted, encoding)) return encoding;
  }
  return "identity";
}

/** `br;q=0` says no. */
export function accepts(header: string, encoding: Encoding): boolean {
  return header
    .split(",")
    .map((part) => part.trim().split(/\s*;\s*q=/))
    .some(([name, quality]) => name === encoding && Number(quality ?? 1) > 0);
}

function load(file: StaticFile, encoding: Encoding | "identity") {
  const known = file.loaded.get(encoding);
  if (known) return known;
  const path = file.paths[encoding];
  if (path === undefined) throw new Error("A static file has no plain form.");
  const body = readFileSync(path);
  const loaded = { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
  file.loaded.set(encoding, loaded);
  return loaded;
}
