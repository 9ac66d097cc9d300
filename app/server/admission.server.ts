/** Checks every request before anything else reads it (T7, T14, T15, T21). */
import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { maxTokenLength } from "../api/contract";
import { maxBodyBytes } from "../lib/http/limit-bodies";

export type Admission = { allowedHosts: readonly string[]; trustProxy: boolean; mode: "sandbox" | "live" };
export type Admitted = { remoteAddress: string };
export type Refused = {
  status: 400 | 404 | 405 | 410 | 413 | 417 | 421 | 431 | 500;
  message: string;
  headers?: Record<string, string>;
};

/** Browsers and proxies send about 30. Remix copies them for every loader, so thousands would cost milliseconds. */
export const maxHeaders = 100;

/**
 * Checks the Host header and the request target, and removes headers that only a proxy may
 * set. Mutates the request: an absolute-form target becomes its path.
 */
export function admit(incoming: IncomingMessage, admission: Admission): Admitted | Refused {
  // First, because reading `headers` takes time for each header.
  if (incoming.rawHeaders.length > 2 * maxHeaders) return { status: 431, message: "There are too many headers." };
  const remoteAddress = toRemoteAddress(incoming, admission.trustProxy);
  stripForwarded(incoming);
  const hosts = countHeader(incoming.rawHeaders, "host");
  if (hosts !== 1) return { status: 400, message: "Send one Host header." };
  const host = (incoming.headers.host ?? "").toLowerCase();
  const misdirected: Refused = { status: 421, message: notServed[admission.mode] };
  if (!admission.allowedHosts.includes(host)) return misdirected;
  // The token would become invalid if it were cut like other headers (shorten-headers.server.ts).
  if ((incoming.headers["x-auth-token"] ?? "").length > maxTokenLength)
    return { status: 431, message: "X-Auth-Token is too long." };
  // The Fetch API does not allow these methods.
  if (incoming.method === "TRACE" || incoming.method === "CONNECT") return methodNotAllowed;

  const target = incoming.url ?? "/";
  if (!target.startsWith("/")) {
    const path = toOwnPath(target, admission.allowedHosts);
    if (path === null) return misdirected;
    incoming.url = path;
  }
  // `split` would end the query at a second question mark.
  const [path = "/", ...rest] = (incoming.url ?? "/").split("?");
  const query = rest.join("?");
  if (!isReadablePath(path)) return { status: 400, message: "This address is not valid." };
  // Not used by this app, and slow in Remix (T15).
  if (toNormalPath(path) === "/__manifest") return { status: 404, message: "Not Found" };
  // Remix would run loaders and actions without the checks that documents pass (T2).
  if (query !== "" && new URLSearchParams(query).has("_data")) return { status: 410, message: "Gone" };
  if (Number(incoming.headers["content-length"] ?? 0) > maxBodyBytes)
    return { status: 413, message: "The request is too large." };
  return { remoteAddress };
}

const notServed = {
  live: "This server does not serve that host.",
  sandbox:
    "This server does not serve that host. Set ORIGIN to the address at which browsers open the site, " +
    "or add the host to ALLOWED_HOSTS for health checks and API clients.",
};

const methodNotAllowed: Refused = {
  status: 405,
  message: "This method is not allowed here.",
  headers: { Allow: "GET, HEAD, POST" },
};

/**
 * Whether the path is correctly encoded, without control characters and backslashes. The site's paths never contain
 * these, and the routers that follow fail on them.
 */
function isReadablePath(path: string): boolean {
  try {
    return !/[\p{Cc}\\]/u.test(decodeURIComponent(path));
  } catch {
    return false;
  }
}

/** The path as the routers see it: without dots and fragment. */
const toNormalPath = (path: string) => new URL(`http://localhost${path}`).pathname;

/** Servers must accept the absolute form (RFC 9112, 3.2.2). Null if its host is not ours. */
function toOwnPath(target: string, allowedHosts: readonly string[]): string | null {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null;
  const url = new URL(target);
  if (!allowedHosts.includes(url.host)) return null;
  return `/${url.pathname.replace(/^\/+/, "")}${url.search}`;
}

/**
 * Behind a trusted proxy: the last entry, which that proxy added. The client may have sent the entries before it.
 * Some proxies add the port, which limits must ignore.
 */
function toRemoteAddress(incoming: IncomingMessage, trustProxy: boolean): string {
  const own = incoming.socket.remoteAddress ?? "";
  if (!trustProxy) return own;
  const forwarded = incoming.headers["x-forwarded-for"];
  const last = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "")).split(",").at(-1)?.trim() ?? "";
  const [, ipv6, ipv4] = /^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/.exec(last) ?? [];
  const address = ipv6 ?? ipv4 ?? last;
  return ipaddr.isValid(address) ? address : own;
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
