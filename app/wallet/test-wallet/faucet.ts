/** What the sandbox's faucet refuses, in its own words. */
export class FaucetError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FaucetError";
  }
}

/**
 * POST /sandbox/faucet: play money to an address; resolves when it is in a block.
 * `amount` is a decimal string. @throws FaucetError with words to show
 */
export async function askFaucet(
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
    throw new FaucetError("The faucet did not answer. Try again in a moment.");
  }
  if (response.ok) return;
  const answer = (await response.json().catch(() => null)) as { detail?: { message?: unknown } } | null;
  const message = answer?.detail?.message;
  throw new FaucetError(typeof message === "string" ? message : "The faucet gave nothing. Try again in a moment.");
}
