import { describe, expect, it } from "vitest";
import { loader } from "~/routes/swap/order-events/route";
import { makeOrder } from "../../../support/orders";
import { args, fakeExchange, readSession, refusal, responseOf, sessionCookie } from "../../../support/site";

const orderCall = "GET /api/swap/swaps/o1";
const eventsCall = "GET /api/swap/swaps/o1/events";

type Options = { isDataRequest?: boolean; signal?: AbortSignal; headers?: HeadersInit };

async function request(method: "GET" | "HEAD", { isDataRequest, signal, headers }: Options = {}) {
  const given = args("/swap/orders/o1/events", { cookie: await sessionCookie(), ...(headers && { headers }) });
  return responseOf(
    loader({
      ...given,
      ...(isDataRequest && { context: { isDataRequest } }),
      request: new Request(given.request, { method, ...(signal && { signal }) }),
      params: { orderId: "o1" },
    }),
  );
}

const ofStream = {
  "cache-control": "private, no-store",
  "content-type": "text/event-stream",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

describe("an order's event stream on the site", () => {
  it("T16 responds to HEAD without opening a stream of the exchange", async () => {
    const exchange = fakeExchange({
      [orderCall]: () => Response.json(makeOrder({ id: "o1" })),
      [eventsCall]: () => new Response("event: order\n\n"),
    });
    const response = await request("HEAD");
    expect([response.status, response.body, Object.fromEntries(response.headers)]).toEqual([200, null, ofStream]);
    expect(exchange.count(eventsCall)).toBe(0);
    const stream = await request("GET");
    expect([stream.status, Object.fromEntries(stream.headers)]).toEqual([200, ofStream]);
    expect(await stream.text()).toBe("event: order\n\n");
  });

  it("continues after the last event that the browser has seen", async () => {
    const seen: (string | null)[] = [];
    fakeExchange({
      [eventsCall]: ({ headers }) => {
        seen.push(headers.get("Last-Event-ID"));
        return new Response("");
      },
    });
    await request("GET", { headers: { "Last-Event-ID": "7" } });
    await request("GET");
    expect(seen).toEqual(["7", null]);
  });

  it("passes on the exchange's refusals", async () => {
    const notFound = () => refusal(404, "not_found", "Not found.");
    fakeExchange({ [orderCall]: notFound, [eventsCall]: notFound });
    for (const response of [await request("HEAD"), await request("GET")]) {
      expect([response.status, await response.text()]).toEqual([404, ""]);
      expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    }
  });

  it("S06 responds with 401 once the session has ended, and clears the session cookie", async () => {
    const ended = () => refusal(401, "session_ended", "Sign in again.");
    fakeExchange({ [eventsCall]: ended, "POST /api/auth/refresh": ended });
    const response = await request("GET");
    expect([response.status, await readSession(response.headers)]).toEqual([401, null]);
  });

  it("responds with 503 if the exchange cannot be reached, so that the page polls", async () => {
    fakeExchange({ [eventsCall]: () => Promise.reject(new TypeError("fetch failed")) });
    expect((await request("GET")).status).toBe(503);
  });

  it("responds with 503 if the exchange's response can't be used", async () => {
    fakeExchange({ [eventsCall]: () => new Response(null, { status: 304 }) });
    expect((await request("GET")).status).toBe(503);
  });

  it("T16 responds to a data request with 404, because Remix would wait for the stream to end", async () => {
    const exchange = fakeExchange({ [eventsCall]: () => new Response("event: order\n\n") });
    const response = await request("GET", { isDataRequest: true });
    expect([response.status, response.body, exchange.calls]).toEqual([404, null, []]);
  });

  it("T16 closes the exchange's stream at once if the browser has already disconnected", async () => {
    let isCancelled = false;
    const body = () =>
      new ReadableStream({
        cancel: () => {
          isCancelled = true;
        },
      });
    const abort = new AbortController();
    fakeExchange({
      [eventsCall]: () => {
        abort.abort();
        return new Response(body());
      },
    });
    const response = await request("GET", { signal: abort.signal });
    expect([await response.text(), isCancelled]).toEqual(["", true]);
  });

  it("ends when the exchange's stream is interrupted or empty, so that the browser opens a new one", async () => {
    let reads = 0;
    const body = () =>
      new ReadableStream({
        pull: (controller) => {
          reads += 1;
          if (reads === 1) controller.enqueue(new TextEncoder().encode("event: order\n\n"));
          else controller.error(new TypeError("terminated"));
        },
      });
    fakeExchange({ [eventsCall]: () => new Response(body()) });
    expect(await (await request("GET")).text()).toBe("event: order\n\n");
    fakeExchange({ [eventsCall]: () => new Response(null) });
    const response = await request("GET");
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });
});
