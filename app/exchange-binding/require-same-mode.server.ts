import type { Logger } from "pino";
import { statusSchema } from "../api/contract";
import type { Config } from "../config/config.server";
import { isLoopback } from "../lib/loopback";
import { StartupError } from "../lib/startup-error";
import type { Exchange } from "./exchange";

/** A site starts without waiting for its exchange. */
const timeoutMs = 3_000;

/**
 * Compares this site's mode with the remote exchange's. A site in sandbox mode would describe the money of a live
 * exchange as play money, and may use plain http. So this is allowed only for a site on this machine. If the exchange
 * does not respond, nothing is compared.
 * @throws StartupError
 */
export async function requireSameMode(
  exchange: Pick<Exchange, "fetch">,
  { mode, origin }: Pick<Config, "mode" | "origin">,
  log: Pick<Logger, "warn">,
): Promise<void> {
  const theirs = await readMode(exchange);
  if (theirs === mode) return;
  if (theirs === null) return log.warn("the mode of the exchange at API_URL is not known yet; it was not compared");
  const reason = `The exchange at API_URL is in ${theirs} mode, and this site in ${mode} mode: set EXCHANGE_MODE=${theirs}.`;
  if (theirs === "live" && !isLoopback(new URL(origin).hostname)) throw new StartupError(reason);
  log.warn({ reason }, "a setting is risky");
}

async function readMode(exchange: Pick<Exchange, "fetch">): Promise<Config["mode"] | null> {
  try {
    const request = new Request("http://exchange.invalid/api/status", { signal: AbortSignal.timeout(timeoutMs) });
    return statusSchema.pick({ mode: true }).parse(await (await exchange.fetch(request)).json()).mode;
  } catch {
    return null;
  }
}
