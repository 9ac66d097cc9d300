import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { RequestError } from "@hono/node-server";
import type { Logger } from "pino";
import type { Refused } from "./admission.server";
import { toRefusalBody } from "./refusals.server";

type Refuser = {
  /** Refuses a request and closes its connection. `requestId` is for a failure on our side. */
  refuse(incoming: IncomingMessage, outgoing: ServerResponse, refused: Refused, requestId?: string): void;
  /** T14: responds to a request that failed. Node would end the process. */
  fail(incoming: IncomingMessage, outgoing: ServerResponse, error: unknown): void;
  /** Makes a listener that responds to a request as failed if `listener` throws. */
  guarded(listener: RequestListener): RequestListener;
  /** The response to a request that could not be read, or for which the site failed. */
  toFailure(incoming: IncomingMessage, error: unknown, requestId: string): Response;
};

const failure: Refused = { status: 500, message: "Something went wrong on our side." };
const unreadable: Refused = { status: 400, message: "This request could not be read." };

/**
 * Responds to requests that are refused before they reach the site, and to those that fail.
 * @param options.headers sent with each of these responses
 */
export function createRefuser({ log, headers }: { log: Logger; headers: Record<string, string> }): Refuser {
  const toRefusal = ({ url = "" }: IncomingMessage, refused: Refused, requestId?: string) => {
    const { type, text } = toRefusalBody(url, refused.status, refused.message, requestId);
    return { status: refused.status, headers: { ...headers, "Content-Type": type, ...refused.headers }, text };
  };
  const logFailure = (error: unknown, requestId: string | undefined) =>
    log.error({ err: error, requestId }, "A request failed");

  const refuse: Refuser["refuse"] = (incoming, outgoing, refused, requestId) => {
    const { status, headers, text } = toRefusal(incoming, refused, requestId);
    outgoing.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(text), Connection: "close" });
    outgoing.end(text);
  };
  const fail: Refuser["fail"] = (incoming, outgoing, error) => {
    const requestId = outgoing.getHeader("X-Request-Id")?.toString();
    logFailure(error, requestId);
    if (outgoing.headersSent) {
      outgoing.destroy();
      return;
    }
    // One of these headers may be the reason for the failure.
    for (const name of outgoing.getHeaderNames()) if (name !== "x-request-id") outgoing.removeHeader(name);
    refuse(incoming, outgoing, failure, requestId);
  };
  return {
    refuse,
    fail,
    guarded: (listener) => (incoming, outgoing) => {
      try {
        listener(incoming, outgoing);
      } catch (error) {
        fail(incoming, outgoing, error);
      }
    },
    toFailure(incoming, error, requestId) {
      const isUnreadable = error instanceof RequestError;
      if (!isUnreadable) logFailure(error, requestId);
      const refusal = isUnreadable ? toRefusal(incoming, unreadable) : toRefusal(incoming, failure, requestId);
      return new Response(refusal.text, { status: refusal.status, headers: refusal.headers });
    },
  };
}
