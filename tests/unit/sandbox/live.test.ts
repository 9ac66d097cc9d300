import { afterEach, describe, expect, it, vi } from "vitest";
import type { bootExchange } from "~/exchange.server/index";
import { args, fakeExchange } from "../../support/site";

const page = await import("~/routes/sandbox/route");
const calls = await import("~/routes/sandbox-calls/route");

/** In live mode the exchange has no sandbox. */
describe("T20 live mode", () => {
  it.each(["/sandbox", "/sandbox?to=ada@example.org"])("T20 responds to %s with 404", async (path) => {
    fakeExchange({});
    const refused = await page.loader(args(path)).catch((thrown: unknown) => thrown);
    const status =
      refused instanceof Response ? refused.status : (refused as { init?: { status?: number } }).init?.status;
    expect(status).toBe(404);
  });

  it.each(["/sandbox/inbox", "/sandbox/mobilecoin/wallet"])("T20 responds to %s with 404", async (path) => {
    fakeExchange({});
    expect((await calls.loader(args(path))).status).toBe(404);
  });
});

describe("the start of the exchange", () => {
  const systems = { sandbox: "~/sandbox.server/sandbox", live: "~/exchange.server/live" };
  const boot = "~/exchange.server/index";
  afterEach(() => {
    for (const path of [boot, ...Object.values(systems)]) vi.doUnmock(path);
    vi.resetModules();
    vi.unstubAllGlobals();
  });

  // imports.test.ts proves that no other module loads either of them.
  it.each(["live", "sandbox"] as const)("T20 loads only the systems of %s mode", async (mode) => {
    const loaded: string[] = [];
    const load = (name: string) => () => {
      loaded.push(name);
      return { startSandbox: async () => undefined, connectLive: async () => undefined };
    };
    vi.resetModules();
    vi.doMock(systems.sandbox, load("sandbox"));
    vi.doMock(systems.live, load("live"));
    const noWork = async () => undefined;
    vi.doMock(boot, () => ({
      bootExchange: async (...[config, log, connect]: Parameters<typeof bootExchange>) => {
        await connect({ ...config, live: mode === "live" ? {} : null } as Parameters<typeof connect>[0], log);
        return { workers: { start: noWork, stop: noWork }, close: noWork };
      },
    }));
    vi.stubGlobal("__antelopeExchange", undefined);
    const binding = await import("~/exchange-binding/exchange.server");
    binding.disableSignalHandling();
    await binding.getExchange();
    await binding.stopExchange();
    expect(loaded).toEqual([mode]);
  });
});
