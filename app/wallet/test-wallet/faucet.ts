/** A failed faucet request. The message can be shown to the visitor. */
export class FaucetError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FaucetError";
  }
}

/**
 * Requests play money from POST /sandbox/faucet. Resolves once the transfer is in a block.
 * `amount` is a decimal string. @throws FaucetError
 */
export async function requestFromFaucet(
  request: { address: string; asset: "ETH" | "USDT"; amount: string },
  origin: string,
): Promise<void> {
  let response: Response;
  try {
    response = await fetch(new URL("/sandbox/faucet", origin), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(30_000),
    });
  } catch {
    throw new FaucetError("The faucet isn't responding. Try again in a moment.");
  }
  if (response.ok) return;
  const body = (await response.json().catch(() => null)) as { detail?: { message?: unknown } } | null;
  const message = body?.detail?.message;
  throw new FaucetError(
    typeof message === "string" ? message : "The faucet didn't send anything. Try again in a moment.",
  );
}
