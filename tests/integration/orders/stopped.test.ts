import { beforeEach, describe, expect, it } from "vitest";
import { switchOff } from "~/exchange.server/switches/switches";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";

describe("T63 while an operator has stopped new swaps", () => {
  const w = forAllTests(() => openOrders("PGlite"));
  let user: User;
  beforeEach(async () => {
    await switchOn(w.ctx.db, "swaps");
    await w.setRate(350_000_000_000n);
    user = await w.createUser();
  });

  const stop = () => switchOff(w.ctx.db, "swaps", { reason: "The rate is wrong.", at: new Date() });
  /** An order whose whole deposit arrived after the payment deadline. */
  const createLateOrder = async () => {
    const order = await w.lock(user, "USDT", "100");
    w.wait(33 * 60_000);
    await w.tick();
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    return order;
  };

  it("refuses an open offer at a wrong rate, offers only a refund, and pays that", async () => {
    const order = await createLateOrder();
    await w.setRate(3_500_000_000n);
    const offer = await w.offer(order.id);
    expect(offer?.targetAmount).toBeGreaterThan(28_000_000_000_000_000n);
    await stop();
    await expect(w.decide(user, order.id, { choice: "requote", quote_id: offer?.id ?? 0 })).rejects.toMatchObject({
      code: "swaps_stopped",
      status: 503,
      // The order has been paid already, so the message does not speak of new swaps.
      message: "New prices are paused right now. Your money is safe: try again later, or get it back.",
      extra: { reason: "stopped_by_operator" },
    });
    expect((await w.see(user, order.id)).decision).toMatchObject({ reason: "late", choices: ["refund"] });
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("refunded");
    expect(w.mob.paid.filter((p) => p.to === order.deliveryAddress)).toEqual([]);
    expect(w.usdt.paid.filter((p) => p.to === order.refundAddress)).toMatchObject([{ amount: 100_000_000n }]);
  });

  it("does not make new offers until swaps are back on", async () => {
    const order = await createLateOrder();
    await stop();
    expect(await w.offer(order.id)).toBeNull();
    await switchOn(w.ctx.db, "swaps");
    const offer = await w.offer(order.id);
    await w.decide(user, order.id, { choice: "requote", quote_id: offer?.id ?? 0 });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it("keeps the rate promised at the lock: an underpaid order can be accepted, a full one is paid", async () => {
    const underpaid = await w.lock(user, "USDT", "100");
    const full = await w.lock(user, "USDT", "100");
    await stop();
    w.usdt.deposit(underpaid.fundingAddress, 60_000_000n);
    w.usdt.deposit(full.fundingAddress, 100_000_000n);
    await w.settle();
    await w.decide(user, underpaid.id, { choice: "accept" });
    await w.settle();
    for (const { id } of [underpaid, full]) expect((await w.see(user, id)).status).toBe("completed");
  });

  it("refuses a lock that was in progress when swaps were stopped", async () => {
    const quote = await w.quote(user, "USDT", "100");
    const assign = w.usdt.assignFundingAddress;
    w.usdt.assignFundingAddress = async (order) => {
      await stop();
      return assign(order);
    };
    await expect(w.lockQuote(user, quote.id, "USDT", "stopped-meanwhile")).rejects.toMatchObject({
      code: "swaps_stopped",
    });
    w.usdt.assignFundingAddress = assign;
  });
});
