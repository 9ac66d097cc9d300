import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { accounts } from "~/exchange.server/db/schema/accounts";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { releaseOrder } from "~/exchange.server/orders/holds/hold";
import { holdUnverifiedOrders } from "~/exchange.server/orders/holds/owner-eligibility";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";

const withdrawn = "Your identity verification was withdrawn.";
const blocked = "Your account can't be used for swaps at the moment.";

describe("T64 an order whose owner may no longer swap", () => {
  const w = forAllTests(() => openOrders("PostgreSQL"));
  let user: User;
  beforeEach(async () => {
    user = await w.createUser();
    w.mob.faults.prepare = null;
  });

  const change = (columns: Partial<typeof accounts.$inferInsert>) =>
    w.ctx.db.update(accounts).set(columns).where(eq(accounts.id, user.accountId));
  const payoutsOf = (order: { deliveryAddress: string }) => w.mob.paid.filter((p) => p.to === order.deliveryAddress);

  it.each([
    { what: "the identity is withdrawn", columns: { kycStatus: "rejected" as const }, reason: withdrawn },
    { what: "the account is blocked", columns: { blockedAt: new Date() }, reason: blocked },
    { what: "the account is deactivated", columns: { isActive: false }, reason: blocked },
  ])("is held, and refunded at its deadline, if $what between lock and deposit", async ({ columns, reason }) => {
    const order = await w.lock(user, "USDT", "100");
    await change(columns);
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({ status: "on_hold", hold: { reason }, outgoing_txs: [] });
    await expect(w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, order.id))).rejects.toMatchObject({
      code: "kyc_required",
      message: "The owner of this order is blocked or not verified: refund the order instead.",
    });
    w.wait(73 * 3_600_000);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("refunded");
    expect(payoutsOf(order)).toEqual([]);
    expect(w.usdt.paid.filter((p) => p.to === order.refundAddress)).toMatchObject([{ amount: 100_000_000n }]);
  });

  describe.each([
    { what: "late", before: async () => void w.wait(40 * 60_000) },
    { what: "in time", before: async () => undefined },
  ])("and that owner has deleted the account", ({ what, before }) => {
    const payAfterDeletion = async (columns: Partial<typeof accounts.$inferInsert>) => {
      const order = await w.lock(user, "USDT", "100");
      await before();
      await w.tick();
      await change({ isActive: false, kycStatus: "not_started", deletedAt: new Date(), ...columns });
      w.usdt.deposit(order.fundingAddress, 100_000_000n);
      await w.settle();
      return order;
    };
    const stateOf = async (order: OrderRow) => (await w.ctx.db.transaction((tx) => lockOrderRow(tx, order.id))).status;

    it(`T73 is refunded at once if it is paid ${what}`, async () => {
      const order = await payAfterDeletion({});
      expect(await stateOf(order)).toBe("refunded");
      expect(payoutsOf(order)).toEqual([]);
      expect(w.usdt.paid.filter((p) => p.to === order.refundAddress)).toMatchObject([{ amount: 100_000_000n }]);
    });

    it(`waits as long as any other if it is paid ${what}, but an operator has blocked the account`, async () => {
      const order = await payAfterDeletion({ blockedAt: new Date() });
      expect(await stateOf(order)).toBe(what === "late" ? "needs_decision" : "on_hold");
    });
  });

  it("is filled once the identity is approved again", async () => {
    const order = await w.lock(user, "USDT", "100");
    await w.setKyc(user, "rejected");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    await w.setKyc(user, "approved");
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it.each(["the identity", "the account"])("stays on hold until both are cleared, with %s last", async (last) => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    const withdraw = async () => {
      await w.setKyc(user, "rejected");
      await w.ctx.db.transaction((tx) => holdUnverifiedOrders(tx, w.ctx, user.accountId));
    };
    const block = () => change({ blockedAt: new Date() });
    for (const step of last === "the identity" ? [block, withdraw] : [withdraw, block]) {
      await step();
      await w.settle();
    }
    await (last === "the identity" ? change({ blockedAt: null }) : w.setKyc(user, "approved"));
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("on_hold");
    await (last === "the identity" ? w.setKyc(user, "approved") : change({ blockedAt: null }));
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(payoutsOf(order)).toHaveLength(1);
  });

  it("cannot be accepted at the locked rate, only refunded", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await w.setKyc(user, "rejected");
    await expect(w.decide(user, order.id, { choice: "accept" })).rejects.toMatchObject({ code: "kyc_required" });
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("refunded");
  });

  it("is held instead of paid if the account is blocked while the payout waits", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.mob.faults.prepare = () => {
      throw new Error("not now");
    };
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    await change({ blockedAt: new Date() });
    w.mob.faults.prepare = null;
    w.wait(61_000);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({ status: "on_hold", hold: { reason: blocked } });
    expect(payoutsOf(order)).toEqual([]);
    await change({ blockedAt: null });
    await w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, order.id));
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });
});
