import { randomUUID } from "node:crypto";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Logger } from "pino";
import type { Config } from "../config/config.server";
import { toLoggedPath } from "../config/log.server";
import { hasKnownLength } from "../lib/http/limit-bodies";
import { listCookieNames } from "../session/cookies.server";
import { admit } from "./admission.server";
import type { ServePage } from "./public-pages.server";
import { createRefuser } from "./refused-requests.server";
import { shortenHeaders } from "./shorten-headers.server";
import type { SiteBindings } from "./site.server";
import { toWholeRequest } from "./whole-request.server";

/** The handlers of requests, in this order: static files, public pages, site. */
export type Handlers = {
  site: Hono<{ Bindings: SiteBindings }>;
  serveStatic: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  servePage: ServePage;
};

type Responder = {
  respond: RequestListener;
  /** Refuses a request with an `Expect` header other than `100-continue`. */
  refuseExpectation: RequestListener;
};

/**
 * Passes each request to the first handler that can respond to it, or refuses it, and logs it.
 * @param options.headers sent with each refusal
 */
export function createResponder({
  config,
  log,
  headers,
  site,
  serveStatic,
  servePage,
}: { config: Config; log: Logger; headers: Record<string, string> } & Handlers): Responder {
  const ownCookies = listCookieNames(config);
  const { refuse, fail, guarded, toFailure } = createRefuser({ log, headers });

  const respondBySite = (incoming: IncomingMessage, outgoing: ServerResponse, visit: SiteBindings) => {
    outgoing.setHeader("X-Request-Id", visit.requestId);
    const listener = getRequestListener(
      (request) => site.fetch(hasKnownLength(request) ? request : toWholeRequest(request), visit),
      { overrideGlobalObjects: false, errorHandler: (error) => toFailure(incoming, error, visit.requestId) },
    );
    listener(incoming, outgoing).catch((error: unknown) => fail(incoming, outgoing, error));
  };

  const respond = guarded((incoming, outgoing) => {
    // The client has reset the connection. Without its address, the request could not be counted towards any limit.
    if (incoming.socket.remoteAddress === undefined) {
      incoming.destroy();
      return;
    }
    const admitted = admit(incoming, config);
    shortenHeaders(incoming, ownCookies);
    const isRefused = "status" in admitted;
    if (!isRefused && serveStatic(incoming, outgoing)) return;
    const requestId = newRequestId();
    logWhenDone(log, incoming, outgoing, requestId);
    if (isRefused) {
      outgoing.setHeader("X-Request-Id", requestId);
      refuse(incoming, outgoing, admitted);
      return;
    }
    const visit = { remoteAddress: admitted.remoteAddress, requestId };
    servePage(incoming, outgoing, visit, () => respondBySite(incoming, outgoing, visit));
  });
  const refuseExpectation = guarded((incoming, outgoing) => {
    const requestId = newRequestId();
    logWhenDone(log, incoming, outgoing, requestId);
    outgoing.setHeader("X-Request-Id", requestId);
    refuse(incoming, outgoing, { status: 417, message: "This expectation is not supported." });
  });
  return { respond, refuseExpectation };
}

/** An ID like the exchange's: 22 characters of base64url. Node.js takes a UUID's random bytes from a pool. */
function newRequestId(): string {
  return Buffer.from(randomUUID().replaceAll("-", ""), "hex").toString("base64url");
}

/** One line per request: method, path without query, status and duration. Health checks are logged as `debug`. */
function logWhenDone(log: Logger, incoming: IncomingMessage, outgoing: ServerResponse, requestId: string): void {
  if (!log.isLevelEnabled("info")) return;
  const path = toLoggedPath(incoming.url ?? "");
  const level = path === "/api/status" ? "debug" : "info";
  const startedAt = performance.now();
  outgoing.once("close", () => {
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    log[level]({ method: incoming.method, path, status: outgoing.statusCode, ms, requestId }, "request");
  });
}
