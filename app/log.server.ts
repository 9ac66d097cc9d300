import { type Logger, pino, stdSerializers } from "pino";
import { getConfig } from "./config.server";

/**
 * The site's log: one JSON object a line, on stdout. Serialisers name what may be written
 * (T18): of a request its method and path without the query, of an error its type, message
 * and stack; headers and bodies never.
 */
export function createLog(level: string): Logger {
  return pino({
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
    redact: { paths: ["*.access_token", "*.refresh_token", "*.code", "*.privateKey"], remove: true },
  });
}

/** The path alone, cut to a bearable length. */
export function toLoggedPath(url: string): string {
  const end = url.search(/[?#]/);
  const withoutQuery = end === -1 ? url : url.slice(0, end);
  return withoutQuery.replace(/^https?:\/\/[^/]*/i, "").slice(0, 200);
}

function toLoggedError(error: Error) {
  const { type, message, stack } = stdSerializers.err(error);
  return { type, message, stack };
}

const cached = globalThis as typeof globalThis & { __antelopeLog?: Logger };

/** The process's one log. */
export function getLog(): Logger {
  cached.__antelopeLog ??= createLog(getConfig().logLevel);
  return cached.__antelopeLog;
}
