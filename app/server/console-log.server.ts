import { format } from "node:util";
import type { Logger } from "pino";

const levels = { debug: "debug", log: "debug", info: "debug", warn: "warn", error: "error" } as const;

/** Sends what libraries print to the log, so that the output of this process stays one JSON object per line (T18). */
export function sendConsoleToLog(log: Logger): void {
  for (const name of Object.keys(levels) as (keyof typeof levels)[]) {
    console[name] = (...values: unknown[]) => {
      log[levels[name]]({ printed: format(...values).slice(0, 1_000) }, "A library printed a message");
    };
  }
}
