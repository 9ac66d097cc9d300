import type { Logger } from "pino";

/** npm forwards Ctrl-C to a process that the terminal has already signalled; both copies arrive within this time. */
const duplicateMs = 500;

/**
 * Stops the process on SIGINT or SIGTERM: exit code 0 once `stop` has resolved, 1 if it
 * failed. A second signal, other than npm's copy of the first, exits immediately.
 */
export function onStopSignal(options: {
  log: Logger;
  stop: () => Promise<void>;
  exit?: (code: number) => void;
  now?: () => number;
}): { readonly started: boolean } {
  const { log, stop, exit = process.exit, now = Date.now } = options;
  let startedAt: number | null = null;

  const handle = (signal: string) => {
    if (startedAt !== null) {
      if (now() - startedAt > duplicateMs) exit(1);
      return;
    }
    startedAt = now();
    log.info({ signal }, "Stopping");
    stop().then(
      () => exit(0),
      (error: unknown) => {
        log.error({ err: error }, "The site did not stop cleanly");
        exit(1);
      },
    );
  };
  process.on("SIGTERM", handle);
  process.on("SIGINT", handle);
  return {
    get started() {
      return startedAt !== null;
    },
  };
}
