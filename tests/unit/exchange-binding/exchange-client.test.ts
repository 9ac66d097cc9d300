import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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
