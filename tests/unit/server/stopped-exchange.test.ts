import { afterEach, expect, it, vi } from "vitest";
import { fakeExchange } from "../../support/site";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("an exchange that was stopped is not started again by a request that is still running", async () => {
  fakeExchange({});
  const { getExchange, isExchangeReady, stopExchange } = await import("~/exchange-binding/exchange.server");
  await stopExchange();
  expect(isExchangeReady()).toBe(false);
  await expect(getExchange()).rejects.toThrow("stopping");
  await stopExchange();
});
