import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

describe("a lock that is refused", () => {
  let database: OpenDatabase;
  let w: OrdersHarness;
  let assigned = 0;
  beforeAll(async () => {
    database = await openTestDatabase("PGlite");
    w = await createOrdersHarness(database, { config: { maxWaitingOrders: 1 } });
    for (const chain of [w.usdt, w.mob]) {
      const assign = chain.assignFundingAddress;
      chain.assignFundingAddress = async (order) => {
        assigned += 1;
        return assign(order);
      };
    }
  });
  afterAll(() => database?.close());

  it("does not use up a funding address if the wallet cannot cover the payout", async () => {
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

  it("does not use up a funding address if the wallet cannot send the payout and its tolerance in one payment", async () => {
    const user = await w.createUser();
    // 100 MOB are worth 34.5 USDT, of which up to 2% more are reserved.
    w.usdt.faults.maxPayment = 35_000_000n;
    await checkWallet(w.ctx, "USDT");
    const before = assigned;
    await expect(w.lock(user, "MOB", "100")).rejects.toMatchObject({ code: "liquidity" });
    expect(assigned).toBe(before);
    w.usdt.faults.maxPayment = null;
    await checkWallet(w.ctx, "USDT");
  });

  it("does not use up a funding address if the account's unpaid orders reserve too much", async () => {
    const config = { ...w.ctx.config, maxWaitingOrders: 5 };
    const other = await createOrdersHarness(database, { config, fakes: w.chains });
    const user = await other.createUser();
    await other.lock(user, "USDT", "10000");
    const before = assigned;
    for (const amount of ["10", "10000"]) {
      await expect(other.lock(user, "USDT", amount)).rejects.toMatchObject({ code: "too_many_orders" });
    }
    expect(assigned).toBe(before);
  });

  it("T88 does not use up a funding address if it names a funding address of ours", async () => {
    for (const [type, field] of [
      ["ETH", "delivery_address_id"],
      ["MOB", "refund_address_id"],
    ] as const) {
      const user = await w.createUser();
      const isSaved = and(eq(deliveryAddresses.accountId, user.accountId), eq(deliveryAddresses.type, type));
      await w.ctx.db.update(deliveryAddresses).set({ isOurs: true }).where(isSaved);
      const before = assigned;
      await expect(w.lock(user, "MOB", "100")).rejects.toMatchObject({
        code: "invalid",
        fields: { [field]: expect.stringContaining("belongs to the exchange") },
      });
      expect(assigned).toBe(before);
    }
  });

  it("uses up only one funding address if a quote is locked many times at once", async () => {
    const user = await w.createUser();
    const quote = await w.quote(user, "MOB", "100");
    const before = assigned;
    const locks = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => w.lockQuote(user, quote.id, "MOB", `key-${i}`)),
    );
    expect(locks.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(assigned).toBe(before + 1);
  });

  it("does not use up a funding address if too many orders wait for a deposit", async () => {
    const user = await w.createUser();
    await w.lock(user, "MOB", "100");
    const before = assigned;
    await expect(w.lock(user, "MOB", "100")).rejects.toMatchObject({ code: "too_many_orders" });
    expect(assigned).toBe(before);
  });
});
