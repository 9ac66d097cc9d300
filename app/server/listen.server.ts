import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Hono } from "hono";
import type { Logger } from "pino";
import type { Config } from "../config/config.server";
import { toLoggedPath } from "../config/log.server";
import { hasKnownLength } from "../lib/http/limit-bodies";
import { listCookieNames } from "../session/cookies.server";
import { admit, maxHeaders, type Refused } from "./admission.server";
import { createDrain } from "./drain.server";
import { limitConnections } from "./limit-connections.server";
import { createPipelining } from "./pipelined-requests.server";
import type { ServePage } from "./public-pages.server";
import { toRefusalBody } from "./refusals.server";
import { toSecurityHeaders } from "./security-headers.server";
import { shortenHeaders } from "./shorten-headers.server";
import type { SiteBindings } from "./site.server";
import { toListenError } from "./startup-message.server";
import { answerUnreadable } from "./unreadable-requests.server";
import { toWholeRequest } from "./whole-request.server";

type Listening = {
  server: Server;
  /** Waits up to `drainMs` for open requests, then closes their connections. */
  stop(): Promise<void>;
};

/**
 * Stricter than Node's defaults (T14): 10 s for the headers, 30 s for the whole request. TCP
 * probes notice clients that vanish, within 25 s while nothing is sent to them (T16).
 */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  keepAlive: true,
  keepAliveInitialDelay: 15_000,
  // `admit` refuses requests without a Host header, with our headers.
  requireHostHeader: false,
};

/**
 * How many connections may wait to be accepted; the system may allow fewer. Clients beyond that try again only after a
 * second or more, so with Node's default of 511, a burst of connections would keep visitors waiting (T14).
 */
const backlog = 4_096;

/**
 * A connection without progress for this long is closed. Pages and pauses in event streams never take that long (T16).
 */
const idleTimeoutMs = 120_000;

const failure = "Something went wrong on our side.";

/** What answers requests, in the order static files, public pages, site. */
export type Handlers = {
  site: Hono<{ Bindings: SiteBindings }>;
  serveStatic: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  servePage: ServePage;
};

/** Listens. @throws StartupError if the address or port is not available */
export async function listen(options: { config: Config; log: Logger } & Handlers): Promise<Listening> {
  const { config, log, site, serveStatic, servePage } = options;
  const headers = { ...toSecurityHeaders(config), "Cache-Control": "no-store" };

  const refuse = ({ url = "" }: IncomingMessage, outgoing: ServerResponse, refused: Refused, failedId?: string) => {
    const { type, text } = toRefusalBody(url, refused.status, refused.message, failedId);
    const own = { "Content-Type": type, "Content-Length": Buffer.byteLength(text), Connection: "close" };
    outgoing.writeHead(refused.status, { ...headers, ...own, ...refused.headers });
    outgoing.end(text);
  };

  /** T14: answers a request that failed. Node would end the process. */
  const fail = (incoming: IncomingMessage, outgoing: ServerResponse, error: unknown) => {
    const requestId = outgoing.getHeader("X-Request-Id")?.toString();
    log.error({ err: error, requestId }, "A request failed");
    if (outgoing.headersSent) {
      outgoing.destroy();
      return;
    }
    // One of these headers may be the reason for the failure.
    for (const name of outgoing.getHeaderNames()) if (name !== "x-request-id") outgoing.removeHeader(name);
    refuse(incoming, outgoing, { status: 500, message: failure }, requestId);
  };
  const answered =
    (answer: RequestListener): RequestListener =>
    (incoming, outgoing) => {
      try {
        answer(incoming, outgoing);
      } catch (error) {
        fail(incoming, outgoing, error);
      }
    };

  const ownCookies = listCookieNames(config);
  const pipelining = createPipelining();
  const drain = createDrain();
  const respond = answered((incoming, outgoing) => {
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
    const { remoteAddress } = admitted;
    servePage(incoming, outgoing, { remoteAddress, requestId }, () => {
      outgoing.setHeader("X-Request-Id", requestId);
      const listener = getRequestListener(
        (request) =>
          site.fetch(hasKnownLength(request) ? request : toWholeRequest(request), { remoteAddress, requestId }),
        {
          overrideGlobalObjects: false,
          errorHandler: (error) => {
            const unreadable = error instanceof RequestError;
            if (!unreadable) log.error({ err: error, requestId }, "A request failed");
            const message = unreadable ? "This request could not be read." : failure;
            const status = unreadable ? 400 : 500;
            const failedId = unreadable ? undefined : requestId;
            const { type, text } = toRefusalBody(incoming.url ?? "", status, message, failedId);
            return new Response(text, { status, headers: { ...headers, "Content-Type": type } });
          },
        },
      );
      listener(incoming, outgoing).catch((error: unknown) => fail(incoming, outgoing, error));
    });
  });
  const refuseExpectation = answered((incoming, outgoing) => {
    const requestId = newRequestId();
    logWhenDone(log, incoming, outgoing, requestId);
    outgoing.setHeader("X-Request-Id", requestId);
    refuse(incoming, outgoing, { status: 417, message: "This expectation is not supported." });
  });
  const server = createServer(limits, pipelining.inTurn(drain.counted(respond)));
  server.on("checkExpectation", pipelining.inTurn(drain.counted(refuseExpectation)));
  // Node silently drops further headers. One more than `admit` accepts is let through, so that `admit` sees that there
  // are too many.
  server.maxHeadersCount = maxHeaders + 1;
  answerUnreadable(server, { log, headers, currentResponse: pipelining.current });
  server.setTimeout(idleTimeoutMs);
  if (!config.trustProxy) limitConnections(server, config.maxConnectionsPerAddress);

  await new Promise<void>((resolve, reject) => {
    const fail = (error: Error) => reject(toListenError(error, config));
    server.once("error", fail);
    server.listen({ port: config.port, host: config.host, backlog }, () => {
      server.off("error", fail);
      server.on("error", (error) => log.error({ err: error }, "The HTTP server reported an error"));
      resolve();
    });
  });
  return { server, stop: () => drain.stop(server, config.drainMs) };
}

/** An id like those of the exchange: 22 characters of base64url. Node.js takes a UUID's random bytes from a pool. */
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
