import { onlyReads } from "../lib/http/methods";

/**
 * Makes a real `Request` from @hono/node-server's. If that one has a body, Remix and Hono's body limit cannot pass it
 * to `new Request`. The API reads bodies of known length without it, because building it slows down quotes
 * (docs/performance.md). A request has a body if it has a length or is chunked.
 */
export function toWholeRequest(request: Request): Request {
  const { method, headers, signal, url } = request;
  if (onlyReads(request)) return request;
  const length = headers.get("content-length");
  const hasBody = headers.has("transfer-encoding") || (length !== null && length !== "0");
  const init: RequestInit & { duplex?: "half" } = {
    method,
    headers,
    signal,
    ...(hasBody && { body: request.body, duplex: "half" }),
  };
  return new Request(url, init);
}
