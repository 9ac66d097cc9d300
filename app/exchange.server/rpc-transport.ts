import { type BaseError, HttpRequestError, type HttpTransport, http } from "viem";
import { fetchWhole } from "../lib/http/whole-responses";

/** The most that viem accepts. */
const maxBytes = 10 * 1024 * 1024;

/**
 * How viem calls an Ethereum node. A redirect fails: a node must not send our calls on to another host (T19). The
 * timeout includes the response's body (T55).
 */
export function createRpcTransport(url: string, options: { timeout: number; retryCount: number }): HttpTransport {
  const fetchFn = withShortRetryAfter(fetchWhole(maxBytes));
  return http(url, { ...options, fetchFn, fetchOptions: { redirect: "error" } });
}

/**
 * Limits Retry-After to a second: before a retry, viem waits as long as it says, even for hours, and the timeout does
 * not include that wait. The header is not removed, because viem would then try again after a fraction of a second, and
 * many nodes limit calls per second.
 */
function withShortRetryAfter(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (!response.headers.has("Retry-After")) return response;
    const limited = new Response(response.body, response);
    limited.headers.set("Retry-After", "1");
    return limited;
  };
}

/** The HTTP status with which a node refused a call; undefined if the call failed in another way. */
export function getHttpStatus(error: BaseError): number | undefined {
  const refused = error.walk((cause) => cause instanceof HttpRequestError);
  return refused instanceof HttpRequestError ? refused.status : undefined;
}
