import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";

const usdt = (amount: number) => BigInt(amount) * 1_000_000n;

describe("the value at risk in blocks that are not finalized (T50)", () => {
  const w = forAllTests(() => openOrders("PostgreSQL", { config: { maxWaitingOrders: 100 } }));
  let user: User;

  beforeAll(async () => {
    w.usdt.faults.finalizedAbove = usdt(100);
  });
  beforeEach(async () => {
    user = await w.createUser();
    await finalize();
  });

  const head = async () => (await w.usdt.scan(null, async () => new Set())).cursor.height;
  const finalize = async () => {
    w.usdt.faults.finalizedHeight = await head();
    w.usdt.mine();
    await w.tick();
  };
  const confirm = async () => {
    w.usdt.mine(5);
    await w.tick();
  };
  const waitsOf = async (orderId: string) =>
    (await w.see(user, orderId)).incoming_txs.map(({ awaits_finality = false }) => awaits_finality);
  const statusesOf = async (orderId: string) => (await w.see(user, orderId)).incoming_txs.map(({ status }) => status);

  it("counts an order's transfers together: of four at the limit, one counts before its block is finalized", async () => {
    const order = await w.lock(user, "USDT", "400");
    for (let i = 0; i < 4; i += 1) {
      w.usdt.deposit(order.fundingAddress, usdt(100));
      await confirm();
    }
    expect((await statusesOf(order.id)).sort()).toEqual(["confirmed", "pending", "pending", "pending"]);
    expect((await w.see(user, order.id)).incoming_txs.map(({ confirmations }) => confirmations < 3)).toContain(true);
    expect(await waitsOf(order.id)).toEqual((await statusesOf(order.id)).map((status) => status === "pending"));
    expect((await w.see(user, order.id)).status).toBe("confirming");
    await finalize();
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it("holds back all of them when the next one is seen before the first has its confirmations", async () => {
    const order = await w.lock(user, "USDT", "400");
    for (let i = 0; i < 4; i += 1) {
      w.usdt.deposit(order.fundingAddress, usdt(100));
      await w.tick();
    }
    // They say so at once, not only when they have their confirmations.
    expect(await waitsOf(order.id)).toContain(true);
    await confirm();
    expect(await statusesOf(order.id)).toEqual(["pending", "pending", "pending", "pending"]);
    expect(await waitsOf(order.id)).toEqual([true, true, true, true]);
    await finalize();
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await waitsOf(order.id)).toEqual([false, false, false, false]);
  });

  it("limits all orders together to ten times as much", async () => {
    const placed = [];
    for (let i = 0; i < 12; i += 1) placed.push(await w.lock(user, "USDT", "100"));
    for (const order of placed) w.usdt.deposit(order.fundingAddress, usdt(100));
    w.usdt.mine(1);
    await w.tick();
    const last = placed.at(-1)?.id ?? "";
    const before = await w.see(user, last);
    expect(before.incoming_txs).toMatchObject([{ confirmations: 2 }]);
    expect(await waitsOf(last)).toEqual([false]);
    await confirm();
    const statuses = await Promise.all(placed.map(async (order) => (await w.see(user, order.id)).status));
    expect(statuses.filter((status) => status === "confirming")).toHaveLength(2);
    const { updated_at, incoming_txs } = await w.see(user, last);
    expect(incoming_txs).toMatchObject([{ confirmations: 2, awaits_finality: true }]);
    expect(updated_at, "the page is told, even though the confirmations are the same").not.toBe(before.updated_at);
    await finalize();
    await w.settle();
    for (const order of placed) expect((await w.see(user, order.id)).status).toBe("completed");
  });
});
