import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiContractError } from "~/api/errors";
import { createLog } from "~/config/log.server";
import { fakeExchange, refusal } from "../../support/site";

const { createExchangeClient } = await import("~/exchange-binding/exchange-client.server");

describe("the site's client of the exchange", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(1);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it.each([
    ["a page of a proxy", () => new Response("<html>maintenance")],
    ["null", () => Response.json(null)],
    ["204", () => new Response(null, { status: 204 })],
    ["304", () => new Response(null, { status: 304 })],
  ])("logs a response that can't be used, with the request's id: %s", async (_name, respond) => {
    const lines: string[] = [];
    vi.stubGlobal("__antelopeLog", createLog("error", { write: (line) => void lines.push(line) }));
    fakeExchange({ "GET /api/rates": respond });
    const client = createExchangeClient({ accessToken: () => null, client: { requestId: "r1" } });
    await expect(client.getRates()).rejects.toBeInstanceOf(ApiContractError);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: "error", requestId: "r1" }]);
    vi.stubGlobal("__antelopeLog", undefined);
  });

  it.each([
    ["without Retry-After", undefined, 4],
    ["with a Retry-After of two seconds", "2", 2],
    ["with a longer Retry-After", "3", 1],
  ])("C11 waits for two seconds in total between attempts (decision 23): %s", async (_name, seconds, attempts) => {
    const headers = new Headers(seconds === undefined ? {} : { "Retry-After": seconds });
    const exchange = fakeExchange({ "GET /api/rates": () => refusal(503, "starting", "Starting.", headers) });
    const outcome = createExchangeClient({ accessToken: () => null, client: {} })
      .getRates()
      .catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await outcome).toMatchObject({ status: 503 });
    expect(exchange.count("GET /api/rates")).toBe(attempts);
  });
});
