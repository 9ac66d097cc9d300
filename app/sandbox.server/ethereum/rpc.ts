import { ExchangeError } from "../../exchange.server/errors";
import { BodyTooLargeError, fetchWhole } from "../../lib/http/whole-responses";

/** Makes one JSON-RPC call to anvil. Rejects with the node's error message. */
export async function callRpc(url: string, method: string, params: unknown[], timeoutMs = 10_000): Promise<unknown> {
  const text = await postRpc(url, { jsonrpc: "2.0", id: 1, method, params }, timeoutMs);
  const response = JSON.parse(text) as {
    result?: unknown;
    error?: { message?: string };
  };
  if (response.error) throw new Error(`${method}: ${response.error.message ?? "failed"}`);
  return response.result;
}

/**
 * Passes a body (one call or a batch) through to anvil and returns the text of its response, which is empty if there is
 * none.
 * @throws body_too_large if the response has more than `maxBytes`
 */
export async function postRpc(
  url: string,
  body: unknown,
  timeoutMs: number,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<string> {
  try {
    const response = await fetchWhole(maxBytes)(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await response.text();
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    throw new ExchangeError("body_too_large", { message: "The response would be too large." });
  }
}
