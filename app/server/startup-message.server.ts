import type { Logger } from "pino";
import type { Config } from "../config/config.server";
import { toPrintable } from "../lib/one-line";
import { redactUrls } from "../lib/redact-url";
import { findReason, StartupError } from "../lib/startup-error";

/** Why the site could not start: a sentence, without a stack trace or the credentials in a URL. */
export function toStartupMessage(error: unknown): string {
  if (error instanceof StartupError) return toPrintable(redactUrls(error.message));
  const cause = findReason(error);
  const reason = cause instanceof Error ? cause.message.split("\n", 1)[0] || cause.name : String(cause);
  const failed = cause === error ? reason : `a query failed: ${reason}`;
  return toPrintable(redactUrls(`Antelope could not start: ${failed} (LOG_LEVEL=debug prints more.)`));
}

/** A failure to listen, with the variable to change. */
export function toListenError(error: NodeJS.ErrnoException, { port, host }: { port: number; host: string }): Error {
  const options = { cause: error };
  if (error.code === "EADDRINUSE") {
    return new StartupError(
      `Port ${port} is in use by another program: stop it, or set PORT to another port.`,
      options,
    );
  }
  if (error.code === "EACCES") {
    return new StartupError(`This user may not listen on port ${port}: set PORT to 1024 or higher.`, options);
  }
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND") {
    return new StartupError(`${host} is not an address of this machine: correct HOST.`, options);
  }
  return error;
}

/** Warns about settings that may be intentional, but could be a costly mistake. */
export function warnOfRisks(log: Pick<Logger, "warn">, risks: readonly string[]): void {
  for (const reason of risks) log.warn({ reason }, "a setting is risky");
}

/** Says where the site is, whatever the log level: as text in a terminal, or else as a line of the log. */
export function announceReady(config: Config, log: Logger, isTerminal: boolean): void {
  const ready = `Antelope is ready at ${config.origin}`;
  if (!isTerminal) {
    log.child({}, { level: "info" }).info({ mode: config.mode, role: config.exchange.role }, ready);
    return;
  }
  const mode = config.mode === "sandbox" ? "sandbox: play money" : "live: real money";
  const inbox = config.hasSandbox ? `\n  Inbox, faucet and test wallet: ${config.origin}/sandbox` : "";
  process.stdout.write(`\n  ${ready} (${mode})${inbox}\n  Press Ctrl-C to stop.\n\n`);
}
