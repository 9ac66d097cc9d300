import { type HttpTransport, http } from "viem";

/** How viem calls an Ethereum node. A redirect fails: a node must not send our calls on to another host (T19). */
export function createRpcTransport(url: string, options: { timeout: number; retryCount: number }): HttpTransport {
  return http(url, { ...options, fetchOptions: { redirect: "error" } });
}
