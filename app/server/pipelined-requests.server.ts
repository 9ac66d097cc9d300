/** Pipelining: responds to the requests of one connection one after another (T14, T16, T18). */
import type { RequestListener, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

type Pipelining = {
  /** Makes a listener wait until the responses to earlier requests on the same connection have ended. */
  inTurn(listener: RequestListener): RequestListener;
  /** The response that the connection is waiting for or being sent. */
  current(socket: Duplex): ServerResponse | undefined;
};

/** How many requests a client may send ahead. Browsers and proxies send none. */
const maxWaiting = 32;

/**
 * Node passes on a request as soon as it is read, even before the responses to earlier requests on its connection have
 * ended. If the connection then closes, Node does not notify its response: a stream would stay open, and the log line
 * would be missing. So requests wait for their turn, and have no effect if the connection closes first.
 */
export function createPipelining(): Pipelining {
  const currents = new WeakMap<Duplex, ServerResponse>();
  const waiting = new WeakMap<Duplex, (() => void)[]>();

  function inTurn(listener: RequestListener): RequestListener {
    return (incoming, outgoing) => {
      const { socket } = incoming;
      const start = () => {
        // Null if the previous response closed the connection.
        if (outgoing.socket === null) return;
        currents.set(socket, outgoing);
        outgoing.once("close", () => {
          currents.delete(socket);
          waiting.get(socket)?.shift()?.();
        });
        listener(incoming, outgoing);
      };
      if (!currents.has(socket)) {
        start();
        return;
      }
      const queue = waiting.get(socket) ?? [];
      waiting.set(socket, queue);
      if (queue.push(start) > maxWaiting) socket.destroy();
    };
  }
  return { inTurn, current: (socket) => currents.get(socket) };
}
