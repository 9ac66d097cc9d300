/** What a request must look like before anything of ours reads it (T7, T14, T15). */
import type { IncomingMessage } from "node:http";

export type Admission = { allowedHosts: readonly string[]; trustProxy: boolean };
export type Admitted = { remoteAddress: string };
export type Refused = { status: 400 | 410 | 404 | 413 | 421; message: string };

const largestBody = 64 * 1024;

/**
 * Checks Host and form of the target, and takes away every header by which a client could
 * speak for a proxy. Mutates the request: an absolute-form target becomes its path.
 */
export function admit(incoming: IncomingMessage, admission: Admission): Admitted | Refused {
  const remoteAddress = toRemoteAddress(incoming, admission.trustProxy);
  stripForwarded(incoming);
  const hosts = countHeader(incoming.rawHeaders, "host");
  if (hosts !== 1) return { status: 400, message: "Send one Host header." };
  const host = (incoming.headers.host ?? "").toLowerCase();
  if (!admission.allowedHosts.includes(host)) return misdirected;

  const target = incoming.url ?? "/";
  if (!target.startsWith("/")) {
    const path = toOwnPath(target, admission.allowedHosts);
    if (path === null) return misdirected;
    incoming.url = path;
  }
  const [path = "/", query = ""] = (incoming.url ?? "/").split("?", 2);
  // Never used by this app, and expensive in Remix (T15).
  if (path === "/__manifest") return { status: 404, message: "Not Found" };
  // Remix would run loaders and actions for it, past what documents are checked for (T2).
  if (query !== "" && new URLSearchParams(query).has("_data")) return { status: 410, message: "Gone" };
  if (Number(incoming.headers["content-length"] ?? 0) > largestBody) return { status: 413, message: "Too large" };
  return { remoteAddress };
}

const misdirected: Refused = { status: 421, message: "This server does not answer for that host." };

/** RFC 9112, 3.2.2: a server must take the absolute form; of hosts that are not ours it takes none. */
function toOwnPath(target: string, allowedHosts: readonly string[]): string | null {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const url = new URL(target);
  if (!allowedHosts.includes(url.host)) return null;
  return `/${url.pathname.replace(/^\/+/, "")}${url.search}`;
}

/** Behind a trusted proxy the last entry is what that proxy saw; what stands before it a client may have written. */
function toRemoteAddress(incoming: IncomingMessage, trustProxy: boolean): string {
  const own = incoming.socket.remoteAddress ?? "";
  if (!trustProxy) return own;
  const forwarded = incoming.headers["x-forwarded-for"];
  const last = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "")).split(",").at(-1)?.trim();
  return last || own;
}

function stripForwarded(incoming: IncomingMessage): void {
  const { rawHeaders } = incoming;
  for (let i = rawHeaders.length - 2; i >= 0; i -= 2) {
    const name = (rawHeaders[i] ?? "").toLowerCase();
    if (!name.startsWith("x-forwarded-") && name !== "forwarded") continue;
    rawHeaders.splice(i, 2);
    delete incoming.headers[name];
  }
}

function countHeader(rawHeaders: readonly string[], wanted: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === wanted) count++;
  return count;
}
