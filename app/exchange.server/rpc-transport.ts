import { type BaseError, HttpRequestError, type HttpTransport, http } from "viem";
import { fetchWhole } from "../lib/http/whole-responses";

/** The most that viem accepts. */
const maxBytes = 10 * 1024 * 1024;

/**
 * How viem calls an Ethereum node. A redirect fails: a node must not send our calls on to another host (T19). The
 * timeout includes the response's body (T55).
 */
export function createRpcTransport(url: string, options: { timeout: number; retryCount: number }): HttpTransport {
  return http(url, { ...options, fetchFn: fetchWhole(maxBytes), fetchOptions: { redirect: "error" } });
}

/** The HTTP status with which a node refused a call; undefined if the call failed in another way. */
export function getHttpStatus(error: BaseError): number | undefined {
  const refused = error.walk((cause) => cause instanceof HttpRequestError);
  return refused instanceof HttpRequestError ? refused.status : undefined;
}
