import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { connectRemoteExchange } from "~/exchange-binding/remote-exchange.server";
import { deferred } from "../../support/deferred";

describe("a remote exchange", () => {
  let respond: RequestListener;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer((request, response) => respond(request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    respond = (_request, response) => void response.writeHead(404, { "Content-Type": "application/json" }).end("{}");
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const send = (path: string, init: RequestInit = {}) =>
    connectRemoteExchange(url).fetch(new Request(`http://exchange.invalid${path}`, init), {
      remoteAddress: "192.0.2.1",
    });

  /** The next request that the exchange receives. It responds with a 404. */
  function nextRequest(): Promise<{ headers: Record<string, unknown>; body: string }> {
    return new Promise((resolve) => {
      respond = async (request, response) => {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        response.writeHead(404, { "Content-Type": "application/json" }).end("{}");
        resolve({ headers: request.headers, body });
      };
    });
  }

  it("gets only the browser's headers that the API reads", async () => {
    const own = { "X-Tracking-Token": "token", "X-Auth-Token": "session", "Idempotency-Key": "key" };
    const received = nextRequest();
    await send("/api/tracking", { headers: { ...own, Cookie: "secret", "X-Forwarded-For": "198.51.100.1" } });
    const { headers } = await received;
    expect(headers).toMatchObject({
      "x-tracking-token": "token",
      "x-auth-token": "session",
      "idempotency-key": "key",
      "x-forwarded-for": "192.0.2.1",
    });
    expect(headers).not.toHaveProperty("cookie");
  });

  it("gets a body with its length, because some servers don't read chunked bodies", async () => {
    const received = nextRequest();
    await send("/api/auth", { method: "POST", body: '{"a":"€"}' });
    expect(await received).toMatchObject({ headers: { "content-length": "11" }, body: '{"a":"€"}' });
  });

  it("K05 has 60 seconds to start its response, and as long as it needs to complete it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      respond = () => undefined;
      const late = send("/api/users/me").catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(await late).toMatchObject({ name: "TimeoutError" });
      const started = deferred<ServerResponse>();
      respond = (_request, response) => {
        response.writeHead(200).flushHeaders();
        started.resolve(response);
      };
      const response = await send("/api/swap/swaps/o1/events");
      await vi.advanceTimersByTimeAsync(60_000);
      (await started.promise).end("event: order");
      expect(await response.text()).toBe("event: order");
    } finally {
      vi.useRealTimers();
    }
  });

  it("sets only headers about its response, not about the connection or the site", async () => {
    const returned = {
      allow: "GET",
      "cache-control": "no-store",
      "content-disposition": "attachment",
      "content-type": "application/zip",
      "retry-after": "3",
      vary: "Accept",
      "x-accel-buffering": "no",
    };
    respond = (_request, response) => {
      response.writeHead(200, {
        ...returned,
        Trailer: "X-Checksum",
        "Set-Cookie": "session=stolen",
        "Access-Control-Allow-Origin": "*",
        "Clear-Site-Data": '"*"',
        "Keep-Alive": "timeout=1",
        "RateLimit-Reset": "900",
        "X-Request-Id": "theirs",
      });
      response.write("bytes");
      response.addTrailers({ "X-Checksum": "1" });
      response.end();
    };
    const response = await send("/api/users/me/export");
    expect(Object.fromEntries(response.headers)).toEqual(returned);
    expect(await response.text()).toBe("bytes");
  });
});
