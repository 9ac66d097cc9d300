import { beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { Database } from "~/exchange.server/db/database";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { bookNetworkFee } from "~/exchange.server/ledger/fee-postings";
import { external, fees, getBalance, post, treasury } from "~/exchange.server/ledger/ledger";
import { forEachTest } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { testDatabases } from "../../support/test-database";

const networkFee = 400_000_000n;

describe.each(testDatabases)("an exchange that is short of its own funds, on %s", (kind) => {
  const w = forEachTest(() => openOrders(kind));
  let user: User;
  beforeEach(async () => {
    user = await w.createUser();
  });

  const move = async (from: string, to: string, amount: bigint) => {
    const at = await w.ctx.clock.now(w.ctx.db);
    const transfers = [{ asset: "MOB" as const, from, to, amount, kind: "float" as const }];
    await w.ctx.db.transaction((tx) => post(tx, { transfers, orderId: null, at }));
  };
  /** An order whose payout of MOB is planned, when the treasury has no MOB left for the network's fee. */
  const fillWithoutFee = async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    w.usdt.mine(3);
    await w.scan("USDT");
    await move(treasury, external, await getBalance(w.ctx.db, "MOB", treasury));
    for (let run = 0; run < 3; run += 1) await w.pay("MOB");
    return order;
  };

  it("alerts an operator if a payment's network fee cannot be booked, and books it when there are funds", async () => {
    const order = await fillWithoutFee();
    const paid = () => w.mob.paid.filter(({ to }) => to === order.deliveryAddress);
    expect(paid()).toHaveLength(1);
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    expect(await listAlerts(w.ctx.db)).toMatchObject([
      {
        orderId: order.id,
        reason: expect.stringContaining(" is made but cannot be booked: "),
        action: expect.stringContaining("operate float"),
      },
    ]);
    await move(external, treasury, networkFee);
    await w.pay("MOB");
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    expect(paid()).toHaveLength(1);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });

  it("books a network fee from the fees earned if the treasury is empty", async () => {
    await move(treasury, fees, networkFee);
    const order = await fillWithoutFee();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await getBalance(w.ctx.db, "MOB", fees)).toBe(0n);
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  });

  it("returns the fee of a fill that is undone from the treasury if the fees earned do not cover it", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    w.usdt.mine(3);
    await w.scan("USDT");
    const at = await w.ctx.clock.now(w.ctx.db);
    const amount = await getBalance(w.ctx.db, "USDT", fees);
    expect(amount).toBeGreaterThan(0n);
    const taken = { asset: "USDT", from: fees, to: treasury, amount, kind: "fees_taken" } as const;
    await post(w.ctx.db, { transfers: [taken], orderId: null, at });
    const before = await getBalance(w.ctx.db, "USDT", treasury);
    w.mob.faults.blocked.add(order.deliveryAddress);
    await w.pay("MOB");
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
    expect(before - (await getBalance(w.ctx.db, "USDT", treasury))).toBe(100_000_000n);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });

  it("does not book a network fee elsewhere if it could not be booked for another reason", async () => {
    await move(treasury, fees, networkFee);
    const at = await w.ctx.clock.now(w.ctx.db);
    const fee = { asset: "MOB", amount: networkFee, orderId: null, at } as const;
    const book = (tx: Database) => {
      const transaction = () => Promise.reject(new Error("deadlock detected"));
      return bookNetworkFee(Object.create(tx, { transaction: { value: transaction } }), fee);
    };
    await expect(w.ctx.db.transaction(book)).rejects.toThrow("deadlock detected");
    expect(await getBalance(w.ctx.db, "MOB", fees)).toBe(networkFee);
  });

  it("does not make offers above the largest single payment, or accept one that has come to exceed it", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n, { at: new Date(Date.now() + 3_600_000) });
    await w.settle();
    expect((await w.see(user, order.id)).decision?.reason).toBe("late");
    const offer = await w.offer(order.id);
    if (!offer) throw new Error("an offer");
    w.mob.faults.maxPayment = offer.targetAmount - 1n;
    await w.tick();
    await expect(w.decide(user, order.id, { choice: "requote", quote_id: offer.id })).rejects.toMatchObject({
      code: "liquidity",
      retryAfterSeconds: 60,
      status: 503,
    });
    w.wait(61_000);
    expect(await w.offer(order.id)).toBeNull();
    w.mob.faults.maxPayment = null;
    await w.tick();
    const next = await w.offer(order.id);
    await w.decide(user, order.id, { choice: "requote", quote_id: next?.id ?? 0 });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });
});
