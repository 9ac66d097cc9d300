import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Logger } from "pino";
import type { ApiErrorBody } from "../../api/contract";
import { ExchangeError } from "../errors";
import type { Env } from "./env";

/** Any error as an answer in the contract's shape. Unknown ones tell the caller an id and the log the rest. */
export function toErrorAnswer(c: Context<Env>, error: unknown, log: Logger): Response {
  const known = toExchangeError(error);
  const requestId = c.get("requestId");
  if (known.code === "internal") {
    log.error({ requestId, method: c.req.method, route: c.req.routePath, error: describeError(error) }, "call failed");
  }
  const detail: ApiErrorBody["detail"] & { request_id?: string } = { message: known.message, code: known.code };
  if (known.fields) detail.fields = known.fields;
  if (known.code === "internal") detail.request_id = requestId;
  if (known.retryAfterSeconds !== undefined) c.header("Retry-After", String(Math.ceil(known.retryAfterSeconds)));
  return c.json({ ...known.extra, detail }, known.status as ContentfulStatusCode);
}

function toExchangeError(error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  // Hono's own refusals (an unreadable body) speak of the request alone.
  if (error instanceof HTTPException && error.status < 500) return new ExchangeError("bad_request");
  return new ExchangeError("internal", { cause: error });
}

/**
 * What the log may know of an unexpected error: names, codes, and where it happened.
 * A database error's message carries the query's parameters (e-mails, token hashes), and
 * `detail` of a violated constraint carries the row; neither is written (T18).
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const query = "query" in error && typeof error.query === "string" ? error.query : undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return {
    name: error.name,
    code,
    message: query === undefined ? error.message : undefined,
    query,
    stack: error.stack?.split("\n").filter((line) => line.startsWith("    at ")),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}
