import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { forEachTest } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { testDatabases } from "../../support/test-database";

const amount = 100_000_000n;

describe.each(testDatabases)("a deposit on which the nodes do not agree, on %s", (kind) => {
  const w = forEachTest(() => openOrders(kind));
  let user: User;
  let isUnclear: boolean;
  beforeEach(async () => {
    user = await w.createUser();
    isUnclear = false;
    const { scan, recheck } = w.usdt;
    w.usdt.scan = async (...args) => {
      const result = await scan(...args);
      if (!isUnclear) return result;
      const transfers = result.transfers.map((one) => ({ ...one, confirmations: 1, disputed: true }));
      return { ...result, transfers };
    };
    w.usdt.recheck = async (seen) => (isUnclear ? seen.map(() => new Error("no receipt")) : recheck(seen));
  });

  const statusOf = async (orderId: string) =>
    (await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, orderId))).map(({ status }) => status);
  /** Later scans do not read its block again. */
  const leaveBehind = async () => {
    for (let pass = 0; pass < 2; pass += 1) {
      w.usdt.mine(70);
      await w.tick();
    }
  };

  it("is credited once they do, even though a reorg had removed it before (T50)", async () => {
    const order = await w.lock(user, "USDT", "100");
    const hash = w.usdt.deposit(order.fundingAddress, amount);
    await w.tick();
    w.usdt.reorgAway(hash);
    await w.tick();
    expect(await statusOf(order.id)).toEqual(["failed"]);

    isUnclear = true;
    w.usdt.deposit(order.fundingAddress, amount, { txHash: hash });
    await w.tick();
    await leaveBehind();
    expect((await w.see(user, order.id)).status).toBe("confirming");
    isUnclear = false;
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await statusOf(order.id)).toEqual(["confirmed"]);
  });

  it("raises an alert after half an hour, which ends when it is credited (T51)", async () => {
    const order = await w.lock(user, "USDT", "100");
    isUnclear = true;
    w.usdt.deposit(order.fundingAddress, amount);
    await w.tick();
    await leaveBehind();
    w.wait(29 * 60_000);
    await w.tick();
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    w.wait(60_000);
    await w.tick();
    expect(await listAlerts(w.ctx.db)).toMatchObject([
      { orderId: order.id, reason: expect.stringMatching(/^Deposits of 100 USDT were seen and cannot be credited/) },
    ]);
    isUnclear = false;
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  });
});
