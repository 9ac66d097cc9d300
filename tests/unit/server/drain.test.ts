import { once } from "node:events";
import { Agent, type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { deferred } from "../../support/deferred";
import { startSiteServer } from "../../support/site-server";

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("a server that stops", () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const start = (respond: (outgoing: ServerResponse, path: string) => void) =>
    startSiteServer({
      drainMs: 60_000,
      serveStatic: (incoming, outgoing) => {
        respond(outgoing, incoming.url ?? "");
        return true;
      },
    });
  const send = (port: number, options: RequestOptions = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { Host: "localhost:3000" };
      request({ port, host: "127.0.0.1", agent, headers, ...options }, (response) => {
        response.resume().on("end", () => resolve(response));
      })
        .on("error", reject)
        .end();
    });

  it("finishes an open request, tells its client that the connection closes, and closes idle ones", async () => {
    const arrived = deferred();
    const finish = deferred();
    const { port, stop } = await start((outgoing, path) => {
      if (path === "/slow") arrived.resolve();
      void (path === "/slow" ? finish.promise : Promise.resolve()).then(() => outgoing.end("whole"));
    });
    expect((await send(port)).headers.connection).toBe("keep-alive");
    const slow = send(port, { path: "/slow" });
    await arrived.promise;
    const idle = connect(port, "127.0.0.1");
    idle.write("GET / HTTP/1.1\r\nHost: localhost:3000\r\n\r\n");
    await once(idle, "data");
    const stopped = stop();
    await once(idle, "close");
    finish.resolve();
    expect((await slow).headers.connection).toBe("close");
    await stopped;
  });

  it("does not keep a connection open for its next request", async () => {
    const begun = deferred();
    const finish = deferred();
    const { port, stop } = await start((outgoing) => {
      outgoing.write("begun ", () => begun.resolve());
      void finish.promise.then(() => outgoing.end("and done"));
    });
    const open = send(port);
    await begun.promise;
    const stopped = stop();
    finish.resolve();
    expect((await open).headers.connection).toBe("keep-alive");
    await stopped;
  });

  it("ends event streams at once, and tells each browser to reconnect after a different delay", async () => {
    const { port, stop } = await start((outgoing) => {
      outgoing.setHeader("Content-Type", "text/event-stream");
      outgoing.write(": open\n\n");
    });
    const openStream = async () => {
      const stream = connect(port, "127.0.0.1");
      stream.write("GET / HTTP/1.1\r\nHost: localhost:3000\r\n\r\n");
      await once(stream, "data");
      let text = "";
      stream.on("data", (chunk) => {
        text += chunk;
      });
      const closed = once(stream, "close");
      return () => closed.then(() => Number(/^retry: (\d+)\n\n/m.exec(text)?.[1]));
    };
    const streams = [await openStream(), await openStream(), await openStream()];
    await stop();
    const waits = await Promise.all(streams.map((readWait) => readWait()));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(2_000);
    expect(Math.max(...waits)).toBeLessThan(15_000);
    expect(new Set(waits).size).toBeGreaterThan(1);
  });
});
