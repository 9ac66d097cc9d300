import { describe, expect, it } from "vitest";
import type { Mail } from "~/exchange.server/context";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { holdUnverifiedOrders } from "~/exchange.server/orders/holds/owner-eligibility";
import { switchOff } from "~/exchange.server/switches/switches";
import { toOrderNumber } from "~/lib/order-number";
import { forAllTests } from "../../support/for-tests";
import { openOrders } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";

describe("holds and the switch for new swaps", () => {
  const w = forAllTests(() => openOrders("PostgreSQL"));

  const hold = (id: string) =>
    w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, id, { reason: "We are checking this swap." }));
  const release = (id: string) => w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, id));

  it("pays an order that was put on hold while confirming only after its release", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    await hold(order.id);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "on_hold",
      hold: { reason: "We are checking this swap." },
      outgoing_txs: [],
    });
    await release(order.id);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it("refunds an order on hold with a planned payout at its deadline, and undoes the fill", async () => {
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

  it("e-mails the owner that a swap is on hold and, once it needs a decision again, its later deadline", async () => {
    const mails: Mail[] = [];
    w.ctx.mail = { send: async (mail) => void mails.push(mail) };
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 50_000_000n);
    await w.tick();
    await w.sendMail();
    await w.settle();
    await w.sendMail();
    await hold(order.id);
    await w.sendMail();
    w.wait(3_600_000);
    await w.tick();
    await release(order.id);
    while ((await sendOutbox(w.ctx)) > 0);
    const sent = mails.filter(({ to }) => to.startsWith(user.accountId.toLowerCase()));
    const number = toOrderNumber(order.quoteId);
    expect(sent.map(({ subject }) => subject)).toEqual([
      "We've seen your payment: 50.00 USDT",
      `Your swap needs a decision: ${number}`,
      `Your swap is on hold: ${number}`,
      `Your swap needs a decision: ${number}`,
    ]);
    expect(sent[2]?.text).toContain("We are checking this swap. Your money is safe with us.");
    const deadlineOf = (mail?: Mail) => /^Decide by: (.*)$/m.exec(mail?.text ?? "")?.[1];
    expect(deadlineOf(sent[3])).not.toBe(deadlineOf(sent[1]));
  });

  it("refuses a hold of an order whose payment is under way, or without a deposit", async () => {
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

  it("puts funded orders on hold when the identity is rejected, and releases them when it is approved again", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await w.ctx.db.transaction((tx) => holdUnverifiedOrders(tx, w.ctx, user.accountId));
    expect((await w.see(user, order.id)).status).toBe("on_hold");
    await w.setKyc(user, "approved");
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
  });

  it("keeps an operator's hold when the identity is approved again", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await hold(order.id);
    await w.ctx.db.transaction((tx) => holdUnverifiedOrders(tx, w.ctx, user.accountId));
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "on_hold",
      hold: { reason: "We are checking this swap." },
    });
  });

  it("keeps an operator's hold of an order that was on hold for its owner", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await w.ctx.db.transaction((tx) => holdUnverifiedOrders(tx, w.ctx, user.accountId));
    const { hold: held } = await w.see(user, order.id);
    await hold(order.id);
    await w.setKyc(user, "approved");
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "on_hold",
      hold: { ...held, reason: "We are checking this swap." },
    });
    await release(order.id);
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
  });

  it("fills an order on release if it was topped up while on hold with an open decision", async () => {
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

  it("refunds a further deposit to an order put on hold while paying out", async () => {
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

  it("stops new quotes and locks while swaps are off, and still pays what is owed", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    await switchOff(w.ctx.db, "swaps", { reason: "An operator said so.", at: new Date() });
    await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({ code: "swaps_stopped" });
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    await switchOn(w.ctx.db, "swaps");
    await w.lock(user, "USDT", "100");
  });

  it("T56 refuses a blacklisted address at the lock, and never pays one blacklisted later", async () => {
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

  it("T56 T60 refuses new swaps with a reason while payments are blocked", async () => {
    const user = await w.createUser();
    w.usdt.faults.paymentBlockReason = "The token is paused.";
    await w.tick();
    await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({
      code: "swaps_stopped",
      extra: { reason: "ethereum_payments_blocked" },
    });
    w.usdt.faults.paymentBlockReason = null;
    await w.tick();
  });
});
