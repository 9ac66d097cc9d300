import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../app/exchange.server/db/open";
import { checkWallet } from "../../../app/exchange.server/deposits/check-wallet";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { openTestDatabase } from "../../support/test-database";

describe("a lock that is refused", () => {
  let database: OpenDatabase;
  let w: OrdersWorld;
  let assigned = 0;
  beforeAll(async () => {
    database = await openTestDatabase("PGlite");
    w = await createOrdersWorld(database, { config: { maxWaitingOrders: 1 } });
    for (const chain of [w.usdt, w.mob]) {
      const assign = chain.assignFundingAddress;
      chain.assignFundingAddress = async (order) => {
        assigned += 1;
        return assign(order);
      };
    }
  });
  afterAll(() => database?.close());

  it("uses up no funding address if the wallet cannot cover the payout", async () => {
    const user = await w.createUser();
    w.usdt.faults.spendable = 1_000_000n;
    await checkWallet(w.ctx, "USDT");
    await expect(w.lock(user, "MOB", "100")).rejects.toMatchObject({ code: "liquidity" });
    expect(assigned).toBe(0);
    w.usdt.faults.spendable = 10n ** 12n;
    await checkWallet(w.ctx, "USDT");
    await w.lock(user, "MOB", "100");
    expect(assigned).toBe(1);
  });

  it("uses up no funding address if too many orders wait for a deposit", async () => {
    const user = await w.createUser();
    await w.lock(user, "MOB", "100");
    const before = assigned;
    await expect(w.lock(user, "MOB", "100")).rejects.toMatchObject({ code: "too_many_orders" });
    expect(assigned).toBe(before);
  });
});
