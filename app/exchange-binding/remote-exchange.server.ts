import { requestTimeoutMs } from "../lib/constants";
import type { Exchange } from "./exchange";

/** The request headers that a remote exchange receives. It learns nothing else about the browser. */
const forwardedHeaders = [
  "accept",
  "content-type",
  "idempotency-key",
  "last-event-id",
  "x-auth-token",
  "x-kyc-signature",
  "x-tracking-token",
  "user-agent",
];

/**
 * The response headers that are passed on. Other headers are about the connection, or would apply to the whole site.
 */
const returnedHeaders = [
  "allow",
  "cache-control",
  "content-disposition",
  "content-type",
  "retry-after",
  "vary",
  "x-accel-buffering",
];

/**
 * Another server that implements the API contract. Redirects are refused (T19). `fetch` rejects with a TimeoutError if a
 * response does not start within 60 seconds.
 */
export function connectRemoteExchange(apiUrl: string): Exchange {
  const base = apiUrl.replace(/\/$/, "");
  return {
    async fetch(request, { remoteAddress } = {}) {
      const { pathname, search } = new URL(request.url);
      // Reads the whole body, because a stream is sent without a length, and some servers require one.
      const body = request.body && (await request.arrayBuffer());
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new DOMException("no response", "TimeoutError")), requestTimeoutMs);
      const response = await fetch(`${base}${pathname}${search}`, {
        method: request.method,
        headers: toRequestHeaders(request.headers, remoteAddress),
        redirect: "error",
        signal: AbortSignal.any([request.signal, late.signal]),
        body,
      }).finally(() => clearTimeout(timer));
      return new Response(response.body, {
        status: response.status,
        headers: pick(response.headers, returnedHeaders),
      });
    },
    workers: { start: async () => undefined, stop: async () => undefined },
    sandbox: null,
    close: async () => undefined,
  };
}

function toRequestHeaders(original: Headers, remoteAddress: string | undefined): Headers {
  const headers = pick(original, forwardedHeaders);
  // For rate limits per network. A server that does not trust this site (TRUST_PROXY) counts the site instead.
  if (remoteAddress !== undefined) headers.set("X-Forwarded-For", remoteAddress);
  return headers;
}

function pick(original: Headers, names: readonly string[]): Headers {
  const headers = new Headers();
  for (const name of names) {
    const value = original.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}
