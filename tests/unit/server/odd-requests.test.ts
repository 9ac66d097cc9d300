import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { toSecurityHeaders } from "~/server/security-headers.server";
import { deferred } from "../../support/deferred";
import { sendRaw } from "../../support/raw-http";
import { fakeExchange, sessionCookie } from "../../support/site";
import { startSiteServer } from "../../support/site-server";
import { rates } from "../routes/swap/fixtures";

const host = "Host: localhost:3000\r\n";
const closed = `${host}Connection: close\r\n\r\n`;
const own = `${host}Origin: http://localhost:3000\r\n`;
const securityHeaders = Object.keys(toSecurityHeaders({ secure: false, walletRpcOrigins: [] }));

describe("odd requests", () => {
  const real = { ...console };
  const printed: unknown[][] = [];
  let site: Awaited<ReturnType<typeof startSiteServer>>;

  beforeAll(async () => {
    site = await startSiteServer();
    for (const name of ["log", "info", "warn"] as const) console[name] = (...text) => void printed.push(text);
    // On a busy machine, loading the site takes more than the usual ten seconds.
  }, 60_000);
  afterAll(async () => {
    Object.assign(console, { log: real.log, info: real.info, warn: real.warn });
    await site.stop();
  });
  afterEach(() => {
    site.lines.length = 0;
    printed.length = 0;
  });

  it("T14 responds to every one of many unreadable requests that arrive at once", async () => {
    const responses = await Promise.all(Array.from({ length: 45 }, () => sendRaw(site.port, "HELO localhost\r\n\r\n")));
    for (const response of responses) expect(response).toMatch(/^HTTP\/1.1 400 /);
    expect(site.lines).toHaveLength(45);
  });

  it("T14 responds to a request that fails, and keeps running", async () => {
    const failing = await startSiteServer({
      serveStatic: () => {
        throw new Error("planned");
      },
    });
    try {
      for (const _again of [1, 2]) {
        const response = await sendRaw(failing.port, `GET /login HTTP/1.1\r\n${closed}`);
        expect(response).toMatch(/^HTTP\/1.1 500 /);
        expect(response).toContain("Something went wrong on our side.");
        expect(response).not.toContain("planned");
        for (const name of securityHeaders) expect(response.toLowerCase()).toContain(name.toLowerCase());
      }
      expect(failing.lines.filter((line) => line.includes("A request failed"))).toHaveLength(2);
    } finally {
      await failing.stop();
    }
  });

  it("T14 responds to a request whose response has a header that Node refuses, and keeps running", async () => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
    fakeExchange({ "GET /api/rates": () => Response.json({}, { headers: { Trailer: "X-Checksum" } }) });
    for (const _again of [1, 2]) {
      const response = await sendRaw(site.port, `GET /api/rates HTTP/1.1\r\n${closed}`);
      expect(response).toMatch(/^HTTP\/1.1 500 /);
      expect(response).toContain("Something went wrong on our side.");
      expect(response).not.toContain("Trailer");
      const [head = "", body = ""] = response.split("\r\n\r\n");
      const { code, request_id } = JSON.parse(body).detail;
      expect(code).toBe("internal");
      expect(head.toLowerCase()).toContain(`x-request-id: ${String(request_id).toLowerCase()}`);
      for (const name of securityHeaders) expect(response.toLowerCase()).toContain(name.toLowerCase());
    }
    const failed = site.lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "A request failed");
    expect(failed.map(({ requestId }) => typeof requestId)).toEqual(["string", "string"]);
    errors.mockRestore();
  });

  it.each([
    ["CONNECT", `CONNECT localhost:3000 HTTP/1.1\r\n${host}\r\n`],
    ["a page", `GET /nope HTTP/1.1\r\n${host}\r\n`],
    ["what is not HTTP", "HELO localhost\r\n\r\n"],
  ])("T14 keeps serving after clients reset their connections: %s", async (_, text) => {
    const resets = Array.from({ length: 50 }, async () => {
      const socket = connect(site.port, "127.0.0.1").on("error", () => undefined);
      await once(socket, "connect");
      await new Promise((written) => socket.write(text, written));
      socket.resetAndDestroy();
      await once(socket, "close");
    });
    await Promise.all(resets);
    expect(await sendRaw(site.port, `GET /robots.txt HTTP/1.1\r\n${closed}`)).toMatch(/^HTTP\/1.1 /);
  });

  it("T14 accepts a burst of connections without any of them having to retry", async () => {
    // More than Node's default of 511, if the system allows it.
    const limit = "/proc/sys/net/core/somaxconn";
    const burst = Math.min(700, existsSync(limit) ? Number(readFileSync(limit, "utf8")) : 128);
    let connected = 0;
    const sockets = Array.from({ length: burst }, () =>
      connect(site.port, "127.0.0.1", () => {
        connected += 1;
      }).on("error", () => undefined),
    );
    // Turns of the event loop, which take milliseconds; a client that found no room tries again after a second.
    for (let turn = 0; turn < 50; turn += 1) await nextTurn();
    expect(connected).toBe(burst);
    for (const socket of sockets) socket.destroy();
  });

  it.each([
    ["an unknown path", 404, `GET /nope HTTP/1.1\r\n${closed}`],
    ["an encoded backslash", 400, `GET /%5C HTTP/1.1\r\n${closed}`],
    ["a backslash", 400, `GET /\\ HTTP/1.1\r\n${closed}`],
    ["TRACE", 405, `TRACE / HTTP/1.1\r\n${closed}`],
    ["TRACE of the API", 405, `TRACE /api/rates HTTP/1.1\r\n${closed}`],
    ["CONNECT", 405, `CONNECT localhost:3000 HTTP/1.1\r\n${closed}`],
    ["PROPFIND", 403, `PROPFIND /nope HTTP/1.1\r\n${closed}`],
    ["PROPFIND from our pages", 405, `PROPFIND /nope HTTP/1.1\r\n${own}Connection: close\r\n\r\n`],
    ["OPTIONS with an origin that is none", 405, `OPTIONS /login HTTP/1.1\r\nOrigin: a,\r\n${closed}`],
    ["OPTIONS for another site", 405, `OPTIONS /vegas HTTP/1.1\r\nOrigin: https://evil.example\r\n${closed}`],
    [
      "a post whose Origin contradicts its Sec-Fetch-Site",
      403,
      `POST /login HTTP/1.1\r\nSec-Fetch-Site: same-origin\r\nOrigin: a,\r\nContent-Length: 0\r\n${closed}`,
    ],
    [
      "a post to our host in capitals",
      403,
      "POST /login HTTP/1.1\r\nHost: LOCALHOST:3000\r\nOrigin: http://localhost:3000\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    ],
    ["a path that is not UTF-8", 400, `GET /%ff HTTP/1.1\r\n${closed}`],
    ["data of a path that is not UTF-8", 400, `GET /%ff.data HTTP/1.1\r\n${closed}`],
    ["a path with a wrong escape", 400, `GET /%zz HTTP/1.1\r\n${closed}`],
    ["a path with a line feed", 400, `GET /x%0a HTTP/1.1\r\n${closed}`],
    ["a path with a NUL", 400, `GET /x%00 HTTP/1.1\r\n${closed}`],
    ["a path that a terminal obeys", 400, `GET /x%C2%9B2K HTTP/1.1\r\n${closed}`],
    ["a path of the API that is not UTF-8", 400, `GET /api/swap/swaps/%ff HTTP/1.1\r\n${closed}`],
    ["a path of dots", 404, `GET /../../etc HTTP/1.1\r\n${closed}`],
    ["a path with two slashes", 404, `GET //evil.example/x HTTP/1.1\r\n${closed}`],
    ["a query that is not UTF-8", 404, `GET /nope?%ff=%zz HTTP/1.1\r\n${closed}`],
    ["headers that are not ASCII", 404, `GET /nope HTTP/1.1\r\nCookie: \xff=1\r\nAccept-Language: \xfe\r\n${closed}`],
    ["no Host header", 400, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["HTTP/1.0", 400, "GET / HTTP/1.0\r\n\r\n"],
    ["another protocol", 400, "HELO localhost\r\n\r\n"],
    ["headers of 20 kB", 431, `GET / HTTP/1.1\r\n${host}X: ${"a".repeat(20_000)}\r\n\r\n`],
    ["101 headers", 431, `GET / HTTP/1.1\r\n${host}${"a: b\r\n".repeat(99)}Connection: close\r\n\r\n`],
    ["a header that Node drops", 431, `GET / HTTP/1.1\r\n${host}${"a:\r\n".repeat(2_500)}Host: evil.example\r\n\r\n`],
    ["100 headers", 404, `GET /nope HTTP/1.1\r\n${host}${"a: b\r\n".repeat(98)}Connection: close\r\n\r\n`],
    ["an unknown expectation", 417, `GET / HTTP/1.1\r\nExpect: odd\r\n${closed}`],
    ["the server's options", 421, `OPTIONS * HTTP/1.1\r\n${closed}`],
    ["an unknown transfer encoding", 400, `POST /nope HTTP/1.1\r\nTransfer-Encoding: x\r\n${closed}`],
    [
      "two lengths",
      400,
      `POST /nope HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n`,
    ],
    ["a malformed chunk", 400, `POST /nope HTTP/1.1\r\n${own}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ["an invalid form", 400, `POST /login HTTP/1.1\r\n${own}Content-Length: 2\r\nConnection: close\r\n\r\nab`],
  ])(
    "T8 T18 T21 responds to %s with %i and the security headers, and logs one JSON line",
    async (_name, status, text) => {
      const response = await sendRaw(site.port, text);
      expect(response.split("\r\n", 1)[0]).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      const head = response.split("\r\n\r\n", 1)[0]?.toLowerCase();
      for (const name of securityHeaders) expect(head).toContain(`\r\n${name.toLowerCase()}: `);
      expect(head).toContain("\r\ncache-control: ");
      // The line is written when the connection has closed.
      await expect.poll(() => site.lines).toHaveLength(1);
      expect(JSON.parse(site.lines[0] ?? "")).toMatchObject({ level: "info", status });
      expect(printed).toEqual([]);
    },
  );

  const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${"a".repeat(bytes)}\r\n0\r\n\r\n`;
  it.each([
    ["a body of 70,000 bytes in chunks", 413, "body_too_large", `Transfer-Encoding: chunked\r\n\r\n${chunk(70_000)}`],
    ["a body of 70,000 bytes", 413, "body_too_large", "Content-Length: 70000\r\n\r\n"],
    ["a malformed chunk", 400, "bad_request", "Transfer-Encoding: chunked\r\n\r\nzz\r\n"],
    ["an unknown expectation", 417, "bad_request", "Expect: odd\r\nContent-Length: 0\r\n\r\n"],
    ["101 headers", 431, "bad_request", `${"a: b\r\n".repeat(98)}\r\n`],
  ])("T14 responds to %s for the API with %i and an error as JSON", async (_name, status, code, rest) => {
    fakeExchange({ "POST /api/auth": () => Response.json({}) });
    const text = `Content-Type: application/json\r\nConnection: close\r\n${rest}`;
    for (const path of ["/api/auth", "/sandbox/faucet"]) {
      const response = await sendRaw(site.port, `POST ${path} HTTP/1.1\r\n${host}${text}`);
      const [head = "", body = ""] = response.split("\r\n\r\n");
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head.toLowerCase()).toContain("\r\ncontent-type: application/json");
      const message = status === 413 ? "The request is too large." : expect.any(String);
      expect(JSON.parse(body)).toEqual({ detail: { code, message } });
    }
  });

  it("T7 refuses a call of the API for another host with 421 and an error as JSON", async () => {
    const response = await sendRaw(site.port, "GET /api/rates HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    expect(response).toMatch(/^HTTP\/1.1 421 /);
    expect(JSON.parse(response.split("\r\n\r\n")[1] ?? "").detail.code).toBe("bad_request");
  });

  it("T16 responds immediately to a request for an event stream as data, without opening one", async () => {
    const exchange = fakeExchange({ "GET /api/swap/swaps/o1/events": () => new Response(new ReadableStream()) });
    const cookie = await sessionCookie();
    for (const path of ["/swap/orders/o1/events.data", "/SWAP/orders/o1/events/.data"]) {
      const response = await sendRaw(site.port, `GET ${path} HTTP/1.1\r\nCookie: ${cookie}\r\n${closed}`);
      expect(response).toMatch(/^HTTP\/1.1 404 /);
    }
    expect(exchange.calls).toEqual([]);
  });

  it("T16 closes the exchange's stream if the browser disconnected before it was open", async () => {
    const arrived = deferred();
    const opened = deferred<Response>();
    let cancelled = false;
    fakeExchange({
      "GET /api/swap/swaps/o1/events": () => {
        arrived.resolve();
        return opened.promise;
      },
    });
    const socket = connect(site.port, "127.0.0.1");
    socket.write(`GET /swap/orders/o1/events HTTP/1.1\r\nCookie: ${await sessionCookie()}\r\n${closed}`);
    await arrived.promise;
    socket.destroy();
    // The line of the log is written when the server has noticed.
    await expect.poll(() => site.lines).toHaveLength(1);
    const cancel = () => {
      cancelled = true;
    };
    opened.resolve(new Response(new ReadableStream({ cancel })));
    await expect.poll(() => cancelled).toBe(true);
  });

  it("T16 closes the exchange's stream when the browser disconnects", async () => {
    let cancelled = false;
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("event: order\n\n")),
      cancel: () => {
        cancelled = true;
      },
    });
    fakeExchange({ "GET /api/swap/swaps/o1/events": () => new Response(stream) });
    const text = `GET /swap/orders/o1/events HTTP/1.1\r\nCookie: ${await sessionCookie()}\r\n${closed}`;
    const response = await sendRaw(site.port, text, "event: order");
    expect(response).toContain("event: order");
    await expect.poll(() => cancelled).toBe(true);
  });

  describe("that are sent ahead on one connection", () => {
    const held = `GET /api/held HTTP/1.1\r\n${host}\r\n`;

    /** Sends a request whose response waits until `respond` is called, and others behind it. */
    async function sendBehind(text: string) {
      const arrived = deferred();
      const response = deferred<Response>();
      const exchange = fakeExchange({
        "GET /api/held": () => {
          arrived.resolve();
          return response.promise;
        },
        "POST /api/auth": () => Response.json({}),
        "GET /api/rates": () => Response.json(rates),
      });
      let received = "";
      const socket = connect(site.port, "127.0.0.1").on("error", () => undefined);
      socket.on("data", (chunk) => {
        received += chunk.toString("latin1");
      });
      socket.write(held + text);
      await arrived.promise;
      const respond = () => response.resolve(Response.json({ held: true }));
      return { exchange, socket, respond, received: () => received };
    }
    /** Waits until the server has read what was sent before: another request takes it several turns. */
    const untilRead = () => sendRaw(site.port, `GET /api/rates HTTP/1.1\r\n${closed}`);
    const logged = () => site.lines.map((line) => JSON.parse(line).path as string);

    it("T14 get their responses one after another, in their order", async () => {
      const { exchange, respond, received } = await sendBehind(
        `GET /api/rates HTTP/1.1\r\n${host}\r\nGET /nope HTTP/1.1\r\n${closed}`,
      );
      expect(exchange.calls.map(({ call }) => call)).toEqual(["GET /api/held"]);
      respond();
      await expect
        .poll(() => received().match(/HTTP\/1.1 \d+/g))
        .toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 404"]);
      await expect.poll(logged).toEqual(["/api/held", "/api/rates", "/nope"]);
    });

    it("T18 are neither carried out nor logged if the connection closes first", async () => {
      const { exchange, socket, respond } = await sendBehind(
        `POST /api/auth HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}` +
          `GET /nope HTTP/1.1\r\n${host}\r\n`,
      );
      socket.destroy();
      await expect.poll(logged).toEqual(["/api/held"]);
      respond();
      // A later request has got its response, so earlier ones would have got theirs too.
      await sendRaw(site.port, `GET /api/rates HTTP/1.1\r\n${closed}`);
      await expect.poll(logged).toEqual(["/api/held", "/api/rates"]);
      expect(exchange.calls.map(({ call }) => call)).toEqual(["GET /api/held", "GET /api/rates"]);
    });

    it("T16 leave no streams open when the connection closes", async () => {
      let open = 0;
      const events = () => {
        open += 1;
        const cancel = () => {
          open -= 1;
        };
        const start = (controller: ReadableStreamDefaultController) =>
          controller.enqueue(new TextEncoder().encode("event: order\n\n"));
        return new Response(new ReadableStream({ start, cancel }));
      };
      fakeExchange({ "GET /api/swap/swaps/o1/events": events });
      const one = `GET /swap/orders/o1/events HTTP/1.1\r\n${host}Cookie: ${await sessionCookie()}\r\n\r\n`;
      const response = await sendRaw(site.port, one.repeat(4), "event: order");
      expect(response).toContain("event: order");
      await expect.poll(() => open).toBe(0);
      await expect.poll(() => site.lines).toHaveLength(1);
      expect(open).toBe(0);
    });

    it("T14 close the connection if there are too many", async () => {
      const { exchange, socket } = await sendBehind(`GET /api/rates HTTP/1.1\r\n${host}\r\n`.repeat(40));
      await expect.poll(() => socket.destroyed).toBe(true);
      expect(exchange.calls.map(({ call }) => call)).toEqual(["GET /api/held"]);
    });

    it("T8 never send anything that could be mistaken for the response to another request", async () => {
      const { socket, respond, received } = await sendBehind(`GET /nope HTTP/1.1\r\n${host}\r\nHELO\r\n\r\n`);
      await untilRead();
      respond();
      await expect.poll(() => socket.destroyed).toBe(true);
      expect(received().match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
      expect(received()).toContain('{"held":true}');
      await expect.poll(logged).toEqual(["/api/rates", "/api/held"]);
    });

    it("T18 do not change the response and the log line of a request that took effect", async () => {
      const { exchange, socket, respond, received } = await sendBehind("garbage\r\n\r\n");
      await untilRead();
      respond();
      await expect.poll(() => socket.destroyed).toBe(true);
      expect(received()).toMatch(/^HTTP\/1.1 200 /);
      expect(received().toLowerCase()).toContain("\r\nconnection: close\r\n");
      expect(received()).toContain('{"held":true}');
      expect(exchange.calls.map(({ call }) => call)).toEqual(["GET /api/held", "GET /api/rates"]);
      await expect
        .poll(() => site.lines.map((line) => JSON.parse(line)))
        .toMatchObject([
          { path: "/api/rates", status: 200 },
          { path: "/api/held", status: 200 },
        ]);
    });
  });
});

describe("many requests of one network", () => {
  let site: Awaited<ReturnType<typeof startSiteServer>>;

  beforeAll(async () => {
    site = await startSiteServer({ requestsPerMinute: 3 });
  }, 60_000);
  afterAll(() => site.stop());

  const get = (path: string, headers = "") => sendRaw(site.port, `GET ${path} HTTP/1.1\r\n${headers}${closed}`);

  it("T14 get at most as many pages rendered in a minute as the limit allows", async () => {
    fakeExchange({ "GET /api/rates": () => Response.json(rates) });
    expect(await get("/login")).toMatch(/^HTTP\/1.1 200 /);
    for (let i = 0; i < 2; i += 1) expect(await get("/nope")).toMatch(/^HTTP\/1.1 404 /);
    const refused = await get("/nope");
    expect(refused).toMatch(/^HTTP\/1.1 429 /);
    expect(refused.toLowerCase()).toMatch(/\r\nretry-after: [1-9][0-9]?\r\n/);
    expect(refused).toContain("Too many requests. Wait a moment and try again.");
    const page = await get("/nope", "Accept: text/html,*/*;q=0.8\r\n");
    expect(page).toMatch(
      /^HTTP\/1.1 429 .*retry-after: .*<html lang="en">.*<title>Too many requests .* Antelope<\/title>/s,
    );
    expect(page).toMatch(/<h1>Too many requests<\/h1>.*Try again in \d+ seconds?\..*<a href="\/swap">/s);
    for (const response of [refused, page]) {
      for (const name of securityHeaders) expect(response.toLowerCase()).toContain(`\r\n${name.toLowerCase()}: `);
    }
  });

  it("T14 get at most as many responses from the sandbox in a minute as the limit allows", async () => {
    fakeExchange({});
    for (let i = 0; i < 3; i += 1) expect(await get("/sandbox/inbox")).toMatch(/^HTTP\/1.1 404 /);
    const refused = await get("/sandbox/inbox");
    expect(refused).toMatch(/^HTTP\/1.1 429 /);
    expect(refused.toLowerCase()).toMatch(/\r\nretry-after: [1-9][0-9]?\r\n/);
    expect(JSON.parse(refused.split("\r\n\r\n")[1] ?? "")).toMatchObject({ detail: { code: "rate_limited" } });
  });

  it("T14 still get responses from the exchange, which has its own count", async () => {
    fakeExchange({ "GET /api/rates": () => Response.json(rates) });
    expect(await get("/api/rates")).toMatch(/^HTTP\/1.1 200 /);
  });
});
