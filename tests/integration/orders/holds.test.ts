import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OpenDatabase } from "../../../app/exchange.server/db/open";
import { switchOff, switchOn } from "../../../app/exchange.server/orders/acceptance";
import { holdOrder, holdOrdersOf, releaseOrder, releaseOrdersOf } from "../../../app/exchange.server/orders/hold";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { openTestDatabase } from "../../support/test-database";

describe("holds and the kill switch", () => {
  let database: OpenDatabase;
  let w: OrdersWorld;
  beforeAll(async () => {
    database = await openTestDatabase("PGlite");
    w = await createOrdersWorld(database);
  });
  afterAll(() => database.close());

  const hold = (id: string) => w.x.db.transaction((tx) => holdOrder(tx, w.x, id, "Somebody looks at it."));
  const release = (id: string) => w.x.db.transaction((tx) => releaseOrder(tx, w.x, id));

  test("an order held while it confirms is not paid; released, it is", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    await hold(order.id);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "on_hold",
      hold: { reason: "Somebody looks at it." },
      outgoing_txs: [],
    });
    await release(order.id);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  test("a hold on a planned payout ends in a refund at its deadline, the fill undone", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.mob.faults.prepare = () => {
      throw new Error("not now");
    };
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    await hold(order.id);
    w.mob.faults.prepare = null;
    w.wait(73 * 3_600_000);
    await w.settle();
    const view = await w.see(user, order.id);
    expect(view.status).toBe("refunded");
    expect(w.usdt.paid.filter((p) => p.to === order.refundAddress)).toMatchObject([{ amount: 100_000_000n }]);
    expect(w.mob.paid.filter((p) => p.to === order.deliveryAddress)).toEqual([]);
  });

  test("money that has begun to leave is not called back, and an order nobody paid is not held", async () => {
    const user = await w.createUser();
    const unpaid = await w.lock(user, "USDT", "100");
    await expect(hold(unpaid.id)).rejects.toMatchObject({ code: "conflict" });
    const leaving = await w.lock(user, "USDT", "100");
    w.mob.faults.broadcast = "drop";
    w.usdt.deposit(leaving.fundingAddress, 100_000_000n);
    await w.settle();
    await expect(hold(leaving.id)).rejects.toMatchObject({ code: "conflict" });
    w.mob.faults.broadcast = "ok";
    await w.settle();
    expect((await w.see(user, leaving.id)).status).toBe("completed");
  });

  test("identity withdrawn holds what is funded; approved again, it goes on", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await w.x.db.transaction((tx) => holdOrdersOf(tx, w.x, user.accountId, "Identity withdrawn."));
    expect((await w.see(user, order.id)).status).toBe("on_hold");
    await w.x.db.transaction((tx) => releaseOrdersOf(tx, w.x, user.accountId, "Identity withdrawn."));
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
  });

  test("what an operator holds stays held when the identity is approved again", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await hold(order.id);
    await w.x.db.transaction((tx) => holdOrdersOf(tx, w.x, user.accountId, "Identity withdrawn."));
    await w.x.db.transaction((tx) => releaseOrdersOf(tx, w.x, user.accountId, "Identity withdrawn."));
    expect(await w.see(user, order.id)).toMatchObject({
      status: "on_hold",
      hold: { reason: "Somebody looks at it." },
    });
  });

  test("topped up while it was held with a question: released, it is filled and asks no more", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await hold(order.id);
    w.usdt.deposit(order.fundingAddress, 90_000_000n);
    await w.settle();
    await release(order.id);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "completed",
      source_amount: "100",
      outgoing_txs: [{ purpose: "payout" }, { purpose: "refund", amount: "50" }],
    });
  });

  test("more money to an order held on its way out goes back by itself", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.mob.faults.prepare = () => {
      throw new Error("not now");
    };
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    await hold(order.id);
    w.usdt.deposit(order.fundingAddress, 9_000_000n);
    await w.settle();
    w.mob.faults.prepare = null;
    await release(order.id);
    w.wait(61_000);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "completed",
      outgoing_txs: [{ purpose: "payout" }, { purpose: "refund", amount: "9" }],
    });
  });

  test("the kill switch stops new quotes and locks; what is owed is paid", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    await switchOff(w.x.db, "swaps", "An operator said so.", new Date());
    await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({ code: "swaps_stopped" });
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    await switchOn(w.x.db, "swaps", new Date());
    await w.lock(user, "USDT", "100");
  });

  test("T56 an address on the blacklist is refused at the lock, and one that came on it since is never paid", async () => {
    const user = await w.createUser();
    w.usdt.faults.blocked.add(user.own.ETH.address);
    for (const [source, field] of [
      ["MOB", "delivery_address_id"],
      ["USDT", "refund_address_id"],
    ] as const) {
      await expect(w.lock(user, source, "100")).rejects.toMatchObject({
        code: "invalid",
        fields: { [field]: "This address is blocked." },
      });
    }
    w.usdt.faults.blocked.clear();
    const order = await w.lock(user, "MOB", "100");
    w.usdt.faults.blocked.add(order.deliveryAddress);
    w.mob.deposit(order.fundingAddress, 100_000_000_000_000n);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { reason: "payout_failed", choices: ["refund"] },
    });
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("refunded");
    expect(w.usdt.paid.filter((p) => p.to === order.deliveryAddress)).toEqual([]);
  });

  test("T56 the token paused: no new swaps are taken, with a reason", async () => {
    const user = await w.createUser();
    w.usdt.faults.obstacle = "The token is paused.";
    await w.tick();
    await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({
      code: "swaps_stopped",
      extra: { reason: "ethereum_payments_blocked" },
    });
    w.usdt.faults.obstacle = null;
    await w.tick();
  });
});
