import { type BaseError, HttpRequestError, type HttpTransport, http } from "viem";
import { fetchWhole } from "../lib/http/whole-responses";

/** The most that viem accepts. */
const maxBytes = 10 * 1024 * 1024;

/**
 * How viem calls an Ethereum node. A redirect fails: a node must not send our calls on to another host (T19). The
 * timeout includes the response's body (T55).
 */
export function createRpcTransport(url: string, options: { timeout: number; retryCount: number }): HttpTransport {
  const fetchFn = withoutRetryAfter(fetchWhole(maxBytes));
  return http(url, { ...options, fetchFn, fetchOptions: { redirect: "error" } });
}

/**
 * Leaves out Retry-After: before a retry, viem waits as long as it says, even for hours, and the timeout does not
 * include that wait. Without the header, viem waits for less than a second.
 */
function withoutRetryAfter(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const { body, status, statusText, headers: received } = await send(input, init);
    const headers = new Headers(received);
    headers.delete("Retry-After");
    return new Response(body, { status, statusText, headers });
  };
}

/** The HTTP status with which a node refused a call; undefined if the call failed in another way. */
export function getHttpStatus(error: BaseError): number | undefined {
  const refused = error.walk((cause) => cause instanceof HttpRequestError);
  return refused instanceof HttpRequestError ? refused.status : undefined;
}
