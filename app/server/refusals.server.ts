/** The responses to requests that reach neither the exchange nor Remix. */
import { STATUS_CODES } from "node:http";
import type { ApiErrorBody } from "../api/contract";

/**
 * Other statuses, such as 408, 421 and 431, use `bad_request`. A client that can react to one of them recognises it by
 * the status, and a client that knows only codes can treat all of them as a request that could not be read.
 */
const codes: Record<number, string> = { 405: "method_not_allowed", 413: "body_too_large", 500: "internal" };

/**
 * The body of a refusal and its type: a JSON error for the API and the sandbox's calls, plain text for all others.
 * @param requestId for a failure on our side
 */
export function toRefusalBody(path: string, status: number, message = toText(status), requestId?: string) {
  if (!/^\/(api|sandbox)\//.test(path)) return { type: "text/plain; charset=utf-8", text: message };
  const body: ApiErrorBody = { detail: { message, code: codes[status] ?? "bad_request" } };
  if (requestId !== undefined) body.detail.request_id = requestId;
  return { type: "application/json", text: JSON.stringify(body) };
}

const toText = (status: number) => `${STATUS_CODES[status] ?? ""}.`;
