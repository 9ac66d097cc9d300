import { type HttpTransport, http } from "viem";
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
