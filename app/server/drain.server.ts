import { randomInt } from "node:crypto";
import type { RequestListener, Server, ServerResponse } from "node:http";

type Drain = {
  /** Makes a listener that `stop` waits for. */
  counted(listener: RequestListener): RequestListener;
  /** Stops listening, waits up to `drainMs` for open requests, then closes their connections. */
  stop(server: Server, drainMs: number): Promise<void>;
};

/** How often connections without a request are closed, and event streams ended, while the server stops. */
const sweepMs = 100;

/** Lets open requests finish when the server stops. Clients send the next one on a new connection, to another process. */
export function createDrain(): Drain {
  const open = new Set<ServerResponse>();
  const ending = new WeakSet<ServerResponse>();
  let stopping = false;

  /** A response whose headers are not sent yet tells the client that its connection closes. */
  const announceClose = (outgoing: ServerResponse) => {
    if (!outgoing.headersSent) outgoing.shouldKeepAlive = false;
  };
  /**
   * An event stream would not end by itself. Browsers reconnect and continue after the last event that they received,
   * each after a different delay, so that they do not all reach the other processes at once. A client that does not
   * read its stream is not notified.
   */
  const endEventStream = (outgoing: ServerResponse) => {
    if (ending.has(outgoing)) outgoing.destroy();
    else outgoing.write(`retry: ${randomInt(2_000, 15_000)}\n\n`, () => outgoing.destroy());
    ending.add(outgoing);
  };
  const sweep = (server: Server) => {
    server.closeIdleConnections();
    for (const outgoing of open) if (isEventStream(outgoing)) endEventStream(outgoing);
  };
  return {
    counted: (listener) => (incoming, outgoing) => {
      open.add(outgoing);
      outgoing.once("close", () => open.delete(outgoing));
      if (stopping) announceClose(outgoing);
      listener(incoming, outgoing);
    },
    async stop(server, drainMs) {
      stopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      open.forEach(announceClose);
      sweep(server);
      const sweeping = setInterval(sweep, sweepMs, server);
      const timer = setTimeout(() => server.closeAllConnections(), drainMs);
      await closed;
      clearInterval(sweeping);
      clearTimeout(timer);
    },
  };
}

function isEventStream(outgoing: ServerResponse): boolean {
  return String(outgoing.getHeader("content-type")).startsWith("text/event-stream");
}
