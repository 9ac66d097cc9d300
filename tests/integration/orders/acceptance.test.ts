import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenDatabase } from "../../../app/exchange.server/db/open";
import { getStopReason } from "../../../app/exchange.server/orders/acceptance";
import { checkWallet, scanChain } from "../../../app/exchange.server/orders/scan";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { openTestDatabase } from "../../support/test-database";

describe("swaps are taken only while both chains were looked at a moment ago", () => {
  let database: OpenDatabase;
  let w: OrdersWorld;
  let user: Awaited<ReturnType<OrdersWorld["createUser"]>>;
  beforeAll(async () => {
    database = await openTestDatabase("PGlite");
    w = await createOrdersWorld(database);
    user = await w.createUser();
  });
  afterAll(() => database?.close());

  const assets = ["USDT", "MOB"] as const;
  const stopReason = () => getStopReason(w.x.db, w.x);
  /** Everything was looked at long ago, and the rate is fresh: only what is looked at now counts. */
  const goStale = async () => {
    w.wait(31_000);
    await w.refreshRate();
  };

  test("blocks are scanned and the wallets are not: what they hold is not known, so nothing is promised", async () => {
    await w.tick();
    expect(await stopReason()).toBeNull();
    await goStale();
    for (const asset of assets) await scanChain(w.x, asset);
    expect(await stopReason()).toBe("ethereum_out_of_reach");
    await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({
      code: "swaps_stopped",
      status: 503,
      extra: { reason: "ethereum_out_of_reach" },
    });
    await checkWallet(w.x, "USDT");
    expect(await stopReason()).toBe("mobilecoin_out_of_reach");
    await checkWallet(w.x, "MOB");
    expect(await stopReason()).toBeNull();
    expect(await w.lock(user, "USDT", "100")).toMatchObject({ status: "awaiting_deposit" });
  });

  test("the wallets answer and blocks are not scanned: a deposit would not be seen", async () => {
    await goStale();
    for (const asset of assets) await checkWallet(w.x, asset);
    expect(await stopReason()).toBe("ethereum_out_of_reach");
    for (const asset of assets) await scanChain(w.x, asset);
    expect(await stopReason()).toBeNull();
  });
});
