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

it("a live process that is stopped while it is still starting ends after ten seconds", async () => {
  const config = await import("~/config/config.server");
  const { stopExchange } = await import("~/exchange-binding/exchange.server");
  vi.spyOn(config, "getConfig").mockReturnValue({ ...config.getConfig(), hasSandbox: false });
  vi.stubGlobal("__antelopeExchange", { exchange: new Promise(() => undefined), ready: false });
  vi.useFakeTimers();
  const stopped = vi.fn();
  const stopping = stopExchange().then(stopped);
  await vi.advanceTimersByTimeAsync(9_000);
  expect(stopped).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  await stopping;
  vi.useRealTimers();
});
