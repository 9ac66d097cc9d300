import { ExchangeError } from "../../exchange.server/errors";

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
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  return readText(response, maxBytes);
}

async function readText({ body }: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new ExchangeError("body_too_large", { message: "The response would be too large." });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
