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

/** Headers that do not apply to the body that fetch has decoded, or that are not for the browser. */
const droppedHeaders = ["content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie"];

/** Another server that implements the API contract. Redirects are refused (T19). */
export function connectRemoteExchange(apiUrl: string): Exchange {
  const base = apiUrl.replace(/\/$/, "");
  return {
    async fetch(request, { remoteAddress } = {}) {
      const { pathname, search } = new URL(request.url);
      const init: RequestInit & { duplex?: "half" } = {
        method: request.method,
        headers: toForwardedHeaders(request.headers, remoteAddress),
        redirect: "error",
        signal: request.signal,
        ...(request.body && { body: request.body, duplex: "half" }),
      };
      const response = await fetch(`${base}${pathname}${search}`, init);
      const responseHeaders = new Headers(response.headers);
      for (const name of droppedHeaders) responseHeaders.delete(name);
      return new Response(response.body, { status: response.status, headers: responseHeaders });
    },
    workers: { start: async () => undefined, stop: async () => undefined },
    sandbox: null,
    close: async () => undefined,
  };
}

function toForwardedHeaders(original: Headers, remoteAddress: string | undefined): Headers {
  const headers = new Headers();
  for (const name of forwardedHeaders) {
    const value = original.get(name);
    if (value !== null) headers.set(name, value);
  }
  // For rate limits per network. A server that does not trust this site (TRUST_PROXY) counts the site instead.
  if (remoteAddress !== undefined) headers.set("X-Forwarded-For", remoteAddress);
  return headers;
}
