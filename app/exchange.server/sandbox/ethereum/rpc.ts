/** One JSON-RPC call to anvil. Rejects with the node's own words. */
export async function callRpc(url: string, method: string, params: unknown[], timeoutMs = 10_000): Promise<unknown> {
  const answer = (await postRpc(url, { jsonrpc: "2.0", id: 1, method, params }, timeoutMs)) as {
    result?: unknown;
    error?: { message?: string };
  };
  if (answer.error) throw new Error(`${method}: ${answer.error.message ?? "failed"}`);
  return answer.result;
}

/** Hands a body (one call or a batch) to anvil as it is and answers what anvil answers: null where it was only told. */
export async function postRpc(url: string, body: unknown, timeoutMs = 10_000): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answer = await response.text();
  return answer === "" ? null : JSON.parse(answer);
}
