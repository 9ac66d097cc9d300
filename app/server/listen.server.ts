import { createServer, type Server } from "node:http";
import type { Logger } from "pino";
import type { Config } from "../config/config.server";
import { maxHeaders } from "./admission.server";
import { createDrain } from "./drain.server";
import { limitConnections } from "./limit-connections.server";
import { createPipelining } from "./pipelined-requests.server";
import { createResponder, type Handlers } from "./respond.server";
import { toSecurityHeaders } from "./security-headers.server";
import { toListenError } from "./startup-message.server";
import { refuseUnreadable } from "./unreadable-requests.server";

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

/** Listens. @throws StartupError if the address or port is not available */
export async function listen({
  config,
  log,
  ...handlers
}: { config: Config; log: Logger } & Handlers): Promise<Listening> {
  const headers = { ...toSecurityHeaders(config), "Cache-Control": "no-store" };
  const { respond, refuseExpectation } = createResponder({ config, log, headers, ...handlers });
  const pipelining = createPipelining();
  const drain = createDrain();
  const server = createServer(limits, pipelining.inTurn(drain.counted(respond)));
  server.on("checkExpectation", pipelining.inTurn(drain.counted(refuseExpectation)));
  // Node silently drops further headers. One more than `admit` accepts is let through, so that `admit` sees that there
  // are too many.
  server.maxHeadersCount = maxHeaders + 1;
  refuseUnreadable(server, { log, headers, currentResponse: pipelining.current });
  server.setTimeout(idleTimeoutMs);
  if (!config.trustProxy) limitConnections(server, config.maxConnectionsPerAddress);

  await new Promise<void>((resolve, reject) => {
    const refuseToStart = (error: Error) => reject(toListenError(error, config));
    server.once("error", refuseToStart);
    server.listen({ port: config.port, host: config.host, backlog }, () => {
      server.off("error", refuseToStart);
      server.on("error", (error) => log.error({ err: error }, "The HTTP server reported an error"));
      resolve();
    });
  });
  return { server, stop: () => drain.stop(server, config.drainMs) };
}
