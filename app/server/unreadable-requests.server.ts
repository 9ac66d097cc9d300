import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { toRefusalBody } from "./refusals.server";

/** How many unreadable requests to respond to before other work: thousands of slow ones can time out at once (T14). */
const responsesPerTurn = 10;

type Unreadable = {
  log: Logger;
  headers: Record<string, string>;
  currentResponse(socket: Duplex): ServerResponse | undefined;
};

/**
 * Responds to what Node.js does not pass on as a request: bytes that are not HTTP, headers that are
 * too large or too slow, and CONNECT. One log line each, unless a request on the connection has one.
 */
export function refuseUnreadable(server: Server, { log, headers, currentResponse }: Unreadable): void {
  const respond = (socket: Duplex, status: number, { path = "", more = [] }: { path?: string; more?: string[] }) => {
    const { type, text } = toRefusalBody(path, status);
    const all = { ...headers, "Content-Type": type };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
    const length = `Content-Length: ${text.length}`;
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, ...more, length, "Connection: close"];
    socket.end(`${head.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy());
  };
  const refuse = (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = unreadableStatuses[error.code ?? ""] ?? 400;
    const response = currentResponse(socket);
    if (response?.headersSent) {
      socket.destroy();
      return;
    }
    // Its request was read in full and may have taken effect: it gets its response, and then the connection closes.
    if (response?.req.complete) {
      response.shouldKeepAlive = false;
      return;
    }
    if (response) response.statusCode = status;
    else log.info({ status, code: error.code }, "unreadable request");
    respond(socket, status, { path: response?.req.url });
  };
  const waiting: [NodeJS.ErrnoException, Duplex][] = [];
  const refuseSome = () => {
    for (const [error, socket] of waiting.splice(0, responsesPerTurn)) refuse(error, socket);
    if (waiting.length > 0) setImmediate(refuseSome);
  };
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    waiting.push([error, socket]);
    if (waiting.length === 1) setImmediate(refuseSome);
  });
  server.on("connect", ({ method }: IncomingMessage, socket: Duplex) => {
    // Node.js no longer listens for errors of this socket. Without a listener, a client that resets it ends the
    // process.
    socket.on("error", () => socket.destroy());
    log.info({ method, status: 405 }, "request");
    if (currentResponse(socket)) socket.destroy();
    else respond(socket, 405, { more: ["Allow: GET, HEAD, POST"] });
  });
}

const unreadableStatuses: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};
