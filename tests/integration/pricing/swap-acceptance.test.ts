import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { statusSchema } from "~/api/contract";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { scanChain } from "~/exchange.server/deposits/scan";
import { statusRoutes } from "~/exchange.server/http/status";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { getMarket } from "~/exchange.server/pricing/market";
import { describeOutage } from "~/exchange.server/pricing/outage";
import { getOperationalPauseReason } from "~/exchange.server/pricing/swap-acceptance";
import { forAllTests } from "../../support/for-tests";
import { createOrdersHarness, type OrdersHarness, openOrders, type User } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

describe("new swaps while a chain is not being read", () => {
  const w = forAllTests(() => openOrders("PGlite"));
  let user: User;
  beforeAll(async () => {
    user = await w.createUser();
  });

  const assets = ["USDT", "MOB"] as const;
  const stopReason = async () =>
    getOperationalPauseReason(w.ctx, await getMarket(w.ctx), await w.ctx.clock.now(w.ctx.db));
  /** All checks are too old, but the rate is fresh. */
  const makeChecksStale = async () => {
    w.wait(31_000);
    await w.refreshRate();
  };

  it("are refused if blocks are scanned but wallets are not checked", async () => {
    await w.tick();
    expect(await stopReason()).toBeNull();
    await makeChecksStale();
    for (const asset of assets) await scanChain(w.ctx, asset);
    expect(await stopReason()).toBe("ethereum_out_of_reach");
    await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({
      code: "swaps_stopped",
      status: 503,
      extra: { reason: "ethereum_out_of_reach" },
    });
    await checkWallet(w.ctx, "USDT");
    expect(await stopReason()).toBe("mobilecoin_out_of_reach");
    await checkWallet(w.ctx, "MOB");
    expect(await stopReason()).toBeNull();
    expect(await w.lock(user, "USDT", "100")).toMatchObject({ status: "awaiting_deposit" });
  });

  it("are refused if wallets are checked but blocks are not scanned", async () => {
    await makeChecksStale();
    for (const asset of assets) await checkWallet(w.ctx, asset);
    expect(await stopReason()).toBe("ethereum_out_of_reach");
    for (const asset of assets) await scanChain(w.ctx, asset);
    expect(await stopReason()).toBeNull();
  });

  it("are explained by the status: it says which chain is not being read", async () => {
    const app = statusRoutes(w.ctx, () => true);
    const readChains = async () => {
      const { chains } = statusSchema.parse(await (await app.request("/api/status")).json());
      return [chains.ethereum, chains.mobilecoin].map(({ ok, synced }) => ({ ok, synced }));
    };
    const running = { ok: true, synced: true };
    await w.tick();
    expect(await readChains()).toEqual([running, running]);
    await makeChecksStale();
    await scanChain(w.ctx, "MOB");
    expect(await readChains()).toEqual([{ ok: false, synced: false }, running]);
    await w.tick();
    expect(await readChains()).toEqual([running, running]);
  });

  it("are refused if no process runs the jobs, with a different reason than if both chains are unreachable", async () => {
    await w.tick();
    await makeChecksStale();
    expect(await stopReason()).toBe("not_running");
    await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({ extra: { reason: "not_running" } });
    for (const asset of assets) {
      w.chains[asset].faults.scan = () => {
        throw new Error("no response");
      };
      await expect(scanChain(w.ctx, asset)).rejects.toThrow("no response");
      expect(await stopReason()).toBe("ethereum_out_of_reach");
      w.chains[asset].faults.scan = null;
    }
    // The process that failed to scan has ended.
    await makeChecksStale();
    expect(await stopReason()).toBe("not_running");
    await w.tick();
    expect(await stopReason()).toBeNull();
  });

  it("T61 are refused while the checks seem to be in the future, because the database's clock was corrected", async () => {
    await w.tick();
    w.wait(-95_000);
    expect(await stopReason()).toBe("not_running");
    await w.tick();
    expect(await stopReason()).toBeNull();
  });
});

describe("T61 new swaps while the database's clock is wrong", () => {
  let database: OpenDatabase;
  let w: OrdersHarness;
  /** How far the database's clock is ahead of the chain's and of the process's. */
  let aheadMs = 0;
  beforeAll(async () => {
    database = await openTestDatabase("PGlite");
    const now = async () => new Date(Math.floor(performance.timeOrigin + performance.now()) + aheadMs);
    w = await createOrdersHarness(database, { clock: { now } });
  });
  afterEach(() => {
    aheadMs = 0;
  });
  afterAll(() => database?.close());

  const readMarketNow = async () => [w.ctx, await getMarket(w.ctx), await w.ctx.clock.now(w.ctx.db)] as const;
  const checkChains = async () => {
    w.usdt.mine();
    await w.refreshRate();
    await w.tick();
  };
  const stopReason = async () => {
    return getOperationalPauseReason(...(await readMarketNow()));
  };

  it.each([125_000, -125_000])("are refused until it is corrected: %d ms ahead", async (ms) => {
    const user = await w.createUser();
    aheadMs = ms;
    await checkChains();
    expect(await stopReason()).toBe("clocks_differ");
    await expect(w.lock(user, "MOB", "100")).rejects.toMatchObject({
      code: "swaps_stopped",
      extra: { reason: "clocks_differ" },
    });
    expect(describeOutage(...(await readMarketNow()))).toMatchObject({
      reason: expect.stringContaining("The database's clock differs"),
      action: expect.stringContaining("PostgreSQL"),
    });
    aheadMs = 0;
    await checkChains();
    expect(await stopReason()).toBeNull();
  });

  it.each([115_000, -115_000])("are accepted while it is off by less than two minutes: %d ms ahead", async (ms) => {
    aheadMs = ms;
    await checkChains();
    expect(await stopReason()).toBeNull();
  });

  it("are refused if a live chain is ahead, even if the process has the same slow clock as the database", async () => {
    const live = { ...w.ctx, config: { ...w.ctx.config, mode: "live" as const } };
    const liveReason = async () => {
      const [, market, now] = await readMarketNow();
      return getOperationalPauseReason(live, market, now);
    };
    await checkChains();
    expect(await liveReason()).toBeNull();
    const trueTime = Date.now();
    const slow = vi.spyOn(Date, "now").mockImplementation(() => trueTime - 125_000);
    aheadMs = -125_000;
    w.usdt.deposit("somebody-else", 1n, { at: new Date(trueTime) });
    await w.tick();
    expect(await liveReason()).toBe("clocks_differ");
    slow.mockRestore();
  });

  it("are accepted if only the chain's clock differs, as in a sandbox with several blocks a second", async () => {
    w.usdt.deposit("somebody-else", 1n, { at: new Date(Date.now() + 600_000) });
    await w.tick();
    expect(await stopReason()).toBeNull();
  });

  it("are accepted if only the clock of the process differs", async () => {
    await checkChains();
    const now = vi.spyOn(Date, "now").mockReturnValue(Date.now() - 600_000);
    expect(await stopReason()).toBeNull();
    now.mockRestore();
  });
});
