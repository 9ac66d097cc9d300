import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createApiClient } from "~/api/client";
import type { TransportOptions } from "~/api/transport";
import { deferred } from "../../support/deferred";

const kyc = () => Response.json({ status: "pending", reasons: [], updated_at: null });
const busy = (headers?: HeadersInit) =>
  Response.json({ detail: { message: "No.", code: "busy" } }, { status: 503, headers });

/** A client whose n-th request gets the n-th response, or the last one, and the times and headers of its requests. */
function open(responses: (() => Response)[], options: Partial<TransportOptions> = {}) {
  const startedAt = Date.now();
  const requests: { at: number; method: string; headers: Headers; body: string }[] = [];
  const api = createApiClient({
    baseUrl: "http://exchange.invalid",
    accessToken: () => null,
    fetch: async (request) => {
      request.signal.throwIfAborted();
      const body = await request.text();
      requests.push({ at: Date.now() - startedAt, method: request.method, headers: request.headers, body });
      const respond = responses[Math.min(requests.length, responses.length) - 1];
      return respond ? respond() : kyc();
    },
    ...options,
  });
  return { api, requests };
}

const outcomeOf = (call: Promise<unknown>) => call.catch((error: unknown) => error);

describe("the requests of the API client", () => {
  it("accept JSON, and have the visitor's User-Agent if there is one", async () => {
    const { api, requests } = open([kyc], { userAgent: "Phone/1" });
    await api.getKyc();
    expect(requests[0]?.headers.get("accept")).toBe("application/json");
    expect(requests[0]?.headers.get("user-agent")).toBe("Phone/1");
    const anonymous = open([kyc]);
    await anonymous.api.getKyc();
    expect([...(anonymous.requests[0]?.headers.keys() ?? [])]).toEqual(["accept"]);
    expect(anonymous.requests[0]?.body).toBe("");
  });

  it("fail as unreachable if the body is cut off, and keep the cause", async () => {
    const cause = new Error("connection lost");
    const broken = new ReadableStream({ pull: (controller) => controller.error(cause) });
    expect(await outcomeOf(open([() => new Response(broken)]).api.submitKyc({} as never))).toMatchObject({
      name: "ApiUnreachableError",
      cause,
    });
  });

  it("fail if the body is longer than 16 MB, without requesting it again", async () => {
    const long = " ".repeat(16 * 1024 * 1024 + 1);
    const { api, requests } = open([() => new Response(long)]);
    expect(await outcomeOf(api.getKyc())).toMatchObject({
      name: "ApiUnreachableError",
      cause: { name: "BodyTooLargeError" },
    });
    expect(requests).toHaveLength(1);
  });

  it("name the call and what is wrong in a response that does not match the contract", async () => {
    const { api } = open([() => Response.json({ status: "maybe" })]);
    expect(await outcomeOf(api.submitKyc({} as never))).toMatchObject({
      message: "The response to POST /api/kyc does not match the contract.",
      cause: { issues: expect.arrayContaining([expect.objectContaining({ path: ["status"] })]) },
    });
  });

  it("C11 treat an error without JSON as one without details", async () => {
    const { api } = open([() => new Response("<html>", { status: 404 })]);
    expect(await outcomeOf(api.getKyc())).toMatchObject({ status: 404, code: "", detailMessage: null });
  });
});

describe("the calls for a visitor who leaves", () => {
  it("are cancelled if they only read; those that change something continue", async () => {
    const visitor = new AbortController();
    const arrived = deferred();
    const signals: Record<string, AbortSignal> = {};
    const response = deferred();
    const { api } = open([], {
      signal: visitor.signal,
      fetch: async (request) => {
        signals[request.method] = request.signal;
        if (Object.keys(signals).length === 3) arrived.resolve();
        await response.promise;
        return new Response(null, { status: 204 });
      },
    });
    const calls = [api.getKyc(), api.signOut(), api.endOtherSessions()].map(outcomeOf);
    await arrived.promise;
    visitor.abort();
    const isEnded = Object.fromEntries(Object.entries(signals).map(([method, { aborted }]) => [method, aborted]));
    expect(isEnded).toEqual({ GET: true, POST: false, DELETE: false });
    response.resolve();
    const [, loggedOut, ended] = await Promise.all(calls);
    expect([loggedOut, ended]).toEqual([undefined, undefined]);
  });

  it("are not started after that", async () => {
    const { api, requests } = open([kyc], { signal: AbortSignal.abort() });
    for (const call of [api.getKyc(), api.refresh("refresh-1")])
      expect(await outcomeOf(call)).toMatchObject({ name: "ApiUnreachableError", cause: { name: "AbortError" } });
    expect(requests).toEqual([]);
  });
});

describe("the retries of the API client", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(1);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  async function settle(call: Promise<unknown>): Promise<unknown> {
    const outcome = outcomeOf(call);
    await vi.advanceTimersByTimeAsync(60_000);
    return outcome;
  }

  it("C01 send the current token: a renewed one, and none after signing out", async () => {
    const tokens = ["access-1", "access-2", null];
    const { api, requests } = open([busy], { accessToken: () => tokens.shift() ?? null });
    await settle(api.getKyc());
    const sent = requests.map(({ headers }) => headers.get("x-auth-token"));
    expect(sent).toEqual(["access-1", "access-2", null, null]);
  });

  it("C11 follow a DELETE, but not a POST or PATCH", async () => {
    const { api, requests } = open([busy]);
    await settle(api.endOtherSessions());
    await settle(api.cancelOrder("o"));
    await settle(api.renamePasskey("p", "Phone"));
    expect(requests.map(({ method }) => method)).toEqual(["DELETE", "DELETE", "DELETE", "DELETE", "POST", "PATCH"]);
  });

  it("T12 follow a sign-out, which is safe to repeat", async () => {
    const { api, requests } = open([busy, busy, () => new Response(null, { status: 204 })]);
    expect(await settle(api.signOut())).toBeUndefined();
    expect(requests.map(({ method, body }) => [method, body])).toEqual(Array.from({ length: 3 }, () => ["POST", "{}"]));
  });

  it.each([
    ["to the budget exactly", 2_000, undefined, [0, 250, 750, 1_750]],
    ["no further than the budget", 1_749, undefined, [0, 250, 750]],
    ["to the budget with Retry-After", 2_000, "1", [0, 1_000, 2_000]],
    ["no further than the budget with Retry-After", 1_999, "1", [0, 1_000]],
  ])("C11 go %s", async (_name, waitBudgetMs, retryAfter, expected) => {
    const headers = new Headers(retryAfter === undefined ? {} : { "Retry-After": retryAfter });
    const { api, requests } = open([() => busy(headers)], { waitBudgetMs });
    expect(await settle(api.getKyc())).toMatchObject({ status: 503 });
    expect(requests.map(({ at }) => at)).toEqual(expected);
  });

  it.each([
    ["Retry-After", "soon"],
    ["Retry-After", "1s"],
    ["Retry-After", "2, 3"],
    ["RateLimit-Reset", "900"],
    ["X-RateLimit-Retry-After", "900"],
    ["X-RateLimit-Reset", "1767225900"],
    ["X-Rate-Limit-Reset", "soon"],
  ])("C11 wait as usual if Retry-After is not given or not readable: %s: %s", async (name, value) => {
    const { api, requests } = open([() => busy({ [name]: value })], { waitBudgetMs: 2_000 });
    expect(await settle(api.getKyc())).toMatchObject({ status: 503, retryAfter: null });
    expect(requests.map(({ at }) => at)).toEqual([0, 250, 750, 1_750]);
  });

  it("C11 stop once the visitor has left", async () => {
    const visitor = new AbortController();
    const { api, requests } = open([busy], { signal: visitor.signal });
    const outcomes = [outcomeOf(api.getKyc()), outcomeOf(api.endOtherSessions())];
    await vi.advanceTimersByTimeAsync(100);
    visitor.abort();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await Promise.all(outcomes)).toMatchObject([
      { name: "ApiUnreachableError", cause: { name: "AbortError" } },
      { name: "ApiError", status: 503 },
    ]);
    // The wait for the second attempt of the DELETE had begun.
    expect(requests.map(({ method }) => method)).toEqual(["GET", "DELETE", "DELETE"]);
  });

  it("C11 stop after responses that took more than ten seconds in total", async () => {
    const { api, requests } = open([], {
      fetch: async () => {
        requests.push({ at: Date.now(), method: "GET", headers: new Headers(), body: "" });
        await new Promise((resolve) => setTimeout(resolve, 6_000));
        return busy();
      },
    });
    expect(await settle(api.getKyc())).toMatchObject({ status: 503 });
    expect(requests).toHaveLength(2);
  });

  it("C11 K05 give up on a body that does not arrive within 60 s, and cancel it", async () => {
    const cancel = vi.fn();
    const { api, requests } = open([() => new Response(new ReadableStream({ cancel }))]);
    expect(await settle(api.getKyc())).toMatchObject({ name: "ApiUnreachableError" });
    expect(cancel).toHaveBeenCalledOnce();
    expect(requests).toHaveLength(1);
  });

  it("K05 do not limit how long the events of an order and the export last", async () => {
    const endless = () => new Response(new ReadableStream());
    const { api } = open([endless]);
    const streams = [await settle(api.orderEvents("o")), await settle(api.exportData())];
    expect(streams.map((response) => (response as Response).body?.locked)).toEqual([false, false]);
  });

  it("C11 do not use up the budget with Retry-After: 0", async () => {
    const { api, requests } = open([() => busy({ "Retry-After": "0" })], { waitBudgetMs: 0 });
    expect(await settle(api.getKyc())).toMatchObject({ status: 503 });
    expect(requests).toHaveLength(4);
  });
});
