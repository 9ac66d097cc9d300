import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Logger } from "pino";
import type { ApiErrorBody } from "../../api/contract";
import { describeError } from "../describe-error";
import { ExchangeError } from "../errors";
import type { Env } from "./env";
import { isDisconnect } from "./is-disconnect";

/**
 * Converts an error to a response in the contract's shape. For an unexpected error, the response contains only a
 * request id.
 */
export function toErrorResponse(c: Context<Env>, error: unknown, log: Logger): Response {
  const known = toExchangeError(error);
  const requestId = c.get("requestId");
  if (known.code === "internal") {
    log.error(
      { requestId, method: c.req.method, route: c.req.routePath, error: describeError(error) },
      "unexpected error in a request",
    );
  }
  const detail: ApiErrorBody["detail"] = { message: known.message, code: known.code };
  if (known.fields) detail.fields = known.fields;
  if (known.code === "internal") detail.request_id = requestId;
  if (known.retryAfterSeconds !== undefined) c.header("Retry-After", String(Math.ceil(known.retryAfterSeconds)));
  return c.json({ ...known.extra, detail }, known.status as ContentfulStatusCode);
}

function toExchangeError(error: unknown): ExchangeError {
  if (error instanceof ExchangeError) return error;
  // Thrown by Hono for requests it cannot read.
  if (error instanceof HTTPException && error.status < 500) return new ExchangeError("bad_request");
  if (isDisconnect(error)) return new ExchangeError("bad_request");
  return new ExchangeError("internal", { cause: error });
}
