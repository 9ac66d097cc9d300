import { connect } from "node:net";
import type { Input } from "./inputs";

export type HttpResponse = { status: number; headers: Headers; body: string };
/** `closed`: without a response. `hang`: nothing arrived in time. */
export type Outcome = HttpResponse | "closed" | "hang";

/** How long a whole request may take. Stopped and overloaded machines are slow, and a hang never ends. */
const hangMs = 60_000;
/** After this long without data, an incomplete request is ended, or what has arrived counts as the response. */
const quietMs = 400;

/** Sends the bytes over a separate connection, and reads the response to the first request in them. */
export function send(port: number, { bytes, mayBeIncomplete = false, leavesAfterMs }: Input): Promise<Outcome> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect({ port, host: "127.0.0.1" });
    const finish = (outcome: Outcome) => {
      clearTimeout(hang);
      clearTimeout(quiet);
      socket.destroy();
      resolve(outcome);
    };
    const read = () => parseResponse(received) ?? "closed";
    const hang = setTimeout(() => finish(received.length > 0 ? read() : "hang"), hangMs);
    // Ends the request, so the server must give up or respond.
    let quiet = setTimeout(() => undefined, 0);
    const waitForSilence = () => {
      clearTimeout(quiet);
      if (!mayBeIncomplete) return;
      quiet = setTimeout(() => (received.length > 0 ? finish(read()) : socket.end()), quietMs);
    };
    socket.on("connect", () => {
      socket.write(bytes);
      if (leavesAfterMs !== undefined) setTimeout(() => finish("closed"), leavesAfterMs);
      waitForSilence();
    });
    socket.on("data", (chunk) => {
      received = Buffer.concat([received, chunk]);
      // A stream of events does not end.
      if (isEventStream(received)) finish(read());
      else waitForSilence();
    });
    socket.on("close", () => finish(read()));
    socket.on("error", () => undefined);
  });
}

function isEventStream(received: Buffer): boolean {
  const end = received.indexOf("\r\n\r\n");
  return end >= 0 && /\r\ncontent-type: text\/event-stream/i.test(received.subarray(0, end).toString("latin1"));
}

/** Null if the bytes are not a response. */
function parseResponse(received: Buffer): HttpResponse | null {
  const end = received.indexOf("\r\n\r\n");
  const [first = "", ...lines] = received.subarray(0, Math.max(end, 0)).toString("latin1").split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(first)?.[1];
  if (status === undefined) return null;
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const rest = received.subarray(end + 4);
  const body = headers.get("transfer-encoding") === "chunked" ? joinChunks(rest) : rest;
  return { status: Number(status), headers, body: body.toString() };
}

function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, Math.max(end, at)).toString("latin1"), 16);
    if (!(size > 0)) break;
    chunks.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(chunks);
}
