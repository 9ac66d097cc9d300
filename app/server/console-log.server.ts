import { format } from "node:util";
import type { Logger } from "pino";

const levels = { debug: "debug", log: "debug", info: "debug", warn: "warn", error: "error" } as const;

/**
 * Sends what libraries print to the log, so that the output of this process stays one JSON object per line (T18).
 * @param toFields turns an error into fields without personal data, such as the parameters of a query
 */
export function sendConsoleToLog(log: Logger, toFields: (error: Error) => object): void {
  for (const name of Object.keys(levels) as (keyof typeof levels)[]) {
    console[name] = (...values: unknown[]) => {
      const error = values.find((value) => value instanceof Error);
      const printed = format(...values.map((value) => (value instanceof Error ? value.name : value))).slice(0, 1_000);
      log[levels[name]]({ printed, ...(error && { error: toFields(error) }) }, "A library printed a message");
    };
  }
}
