import { type DestinationStream, type Logger, pino, stdSerializers } from "pino";
import { escapeControls } from "../lib/escape-controls";
import { redactUrls } from "../lib/redact-url";
import { getConfig } from "./config.server";
import { createLineWriter } from "./line-writer";
import { createReadableStream } from "./readable-log";

/**
 * The log of this process, one JSON object per line. Serializers limit what is written (T18):
 * of a request its method and path without the query, of an error its type, message and
 * stack; never headers or bodies. URLs are cut to their origin.
 */
export function createLog(level: string, destination: DestinationStream = createOutput()): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        req: (request: { method?: string; url?: string }) => ({
          method: request.method,
          path: toLoggedPath(request.url ?? ""),
        }),
        err: (error: unknown) => (error instanceof Error ? toLoggedError(error) : { message: "not an Error" }),
      },
      redact: { paths: ["*.access_token", "*.refresh_token", "*.privateKey"], remove: true },
      hooks: { streamWrite: (line) => escapeControls(redactUrls(line)) },
    },
    destination,
  );
}

/** Writes to standard output. If lines are lost, the next line says how many. */
function createOutput(): DestinationStream {
  const writer = createLineWriter(1, (lines) =>
    log.error({ lines }, "lines of the log could not be written and are lost"),
  );
  const log = createLog("error", writer);
  process.on("exit", () => writer.end());
  return writer;
}

/**
 * The path without its query and without the token of a tracking link, however its path is written, at most 200
 * characters.
 */
export function toLoggedPath(url: string): string {
  const end = url.search(/[?#]/);
  const withoutQuery = end === -1 ? url : url.slice(0, end);
  return withoutQuery
    .replace(/^https?:\/\/[^/]*/i, "")
    .replace(/^(\/track\/).+/i, "$1…")
    .replace(/(?:[\w-]|%[0-9a-f]{2}){40,}/gi, "…")
    .slice(0, 200);
}

function toLoggedError(error: Error) {
  const { type, message, stack } = stdSerializers.err(error);
  return { type, message, stack };
}

const cached = globalThis as typeof globalThis & { __antelopeLog?: Logger };

/** The log of this process: short lines in a terminal, JSON everywhere else. */
export function getLog(): Logger {
  cached.__antelopeLog ??= createLog(
    getConfig().logLevel,
    process.stdout.isTTY ? createReadableStream((text) => process.stdout.write(text)) : undefined,
  );
  return cached.__antelopeLog;
}
