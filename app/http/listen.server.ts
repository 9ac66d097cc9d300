import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import type { Logger } from "pino";
import type { Config } from "../config.server";
import { toLoggedPath } from "../log.server";
import { admit } from "./admission.server";
import { toSecurityHeaders } from "./security-headers.server";
import type { SiteBindings } from "./site.server";

type Listening = {
  server: Server /** Ends requests under way within `drainMs`, then the rest. */;
  stop(): Promise<void>;
};

/** Node's own limits are generous (T14): headers in 10 s, the whole request in 30 s, a cap for each address. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
};

/** Listens. Static files first, then the site. Rejects where the port is taken. */
export async function listen(options: {
  config: Config;
  log: Logger;
  site: Hono<{ Bindings: SiteBindings }>;
  serveStatic: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}): Promise<Listening> {
  const { config, log, site, serveStatic } = options;
  const headers = {
    ...toSecurityHeaders(config),
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
  };

  const server = createServer(limits, (incoming, outgoing) => {
    const admitted = admit(incoming, config);
    if ("status" in admitted) {
      outgoing.writeHead(admitted.status, { ...headers, Connection: "close" }).end(admitted.message);
      return;
    }
    if (serveStatic(incoming, outgoing)) return;
    const requestId = randomUUID();
    logWhenDone(log, incoming, outgoing, requestId);
    outgoing.setHeader("X-Request-Id", requestId);
    const listener = getRequestListener(
      (request, bindings) =>
        site.fetch(toWholeRequest(request, incoming), {
          ...bindings,
          remoteAddress: admitted.remoteAddress,
          requestId,
        }),
      { overrideGlobalObjects: false },
    );
    void listener(incoming, outgoing);
  });
  if (!config.trustProxy) capConnections(server, config.maxConnectionsPerAddress);

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(config.port, config.host, resolve);
  });
  return { server, stop: () => stopServer(server, config.drainMs) };
}

/**
 * node-server's request only looks like one: Hono's body limit and Remix make requests from
 * requests, and that throws on it where there is a body to read or might be one. Without a
 * length and without chunks there is none.
 */
function toWholeRequest(request: Request, incoming: IncomingMessage): Request {
  if (request.method === "GET" || request.method === "HEAD") return request;
  const { "content-length": length, "transfer-encoding": chunked } = incoming.headers;
  const hasBody = chunked !== undefined || (length !== undefined && length !== "0");
  const init: RequestInit & { duplex?: "half" } = {
    method: request.method,
    headers: request.headers,
    signal: request.signal,
    ...(hasBody && { body: request.body, duplex: "half" }),
  };
  return new Request(request.url, init);
}

/** One line a request: method, path without query, status, time. */
function logWhenDone(log: Logger, incoming: IncomingMessage, outgoing: ServerResponse, requestId: string): void {
  if (!log.isLevelEnabled("info")) return;
  const startedAt = performance.now();
  const path = toLoggedPath(incoming.url ?? "");
  outgoing.once("close", () => {
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    log.info({ method: incoming.method, path, status: outgoing.statusCode, ms, requestId }, "request");
  });
}

/** Behind a proxy every connection is the proxy's, so the cap is its affair there. */
function capConnections(server: Server, most: number): void {
  const open = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? "";
    const count = (open.get(address) ?? 0) + 1;
    if (count > most) {
      socket.destroy();
      return;
    }
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

async function stopServer(server: Server, drainMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(timer);
}
