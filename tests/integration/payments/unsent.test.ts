import { afterEach, describe, expect, it } from "vitest";
import { describeOutcome } from "~/exchange.server/operator/describe-outcome";
import { forEachTest } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

const minute = 60_000;

describe("a payment that none of the nodes accepts", () => {
  const w = forEachTest(createPaymentsHarness);
  afterEach(async () => {
    expect(await w.checkBooks()).toEqual([]);
  });

  it("T46 counts as sent, without an alert, if it is in a block after all", async () => {
    const order = await w.planPayout("USDT");
    w.usdt.faults.broadcast = "reject";
    await w.pay("USDT");
    expect(await w.queryRows(order)).toMatchObject([{ status: "prepared" }]);
    w.wait(5 * minute);
    // It could not be parked either.
    w.usdt.faults.paymentBlockReason = "The token is paused.";
    w.usdt.faults.broadcast = "accept_then_reject";
    await w.pay("USDT");
    expect(await w.queryRows(order)).toMatchObject([{ status: "sent", sentAt: expect.any(Date) }]);
    expect(await w.eventsOf(order, "payment_sent")).toHaveLength(1);
    expect(await w.alertsOf(order)).toEqual([]);
    w.usdt.faults.broadcast = "reject";
    await w.settle();
    expect((await w.see(order.user, order.id)).status).toBe("completed");
  });

  it("T46 is replaced as soon as the chain can no longer accept it, and leaves no alert", async () => {
    const order = await w.planPayout("MOB");
    w.mob.faults.broadcast = "reject";
    w.mob.faults.paymentBlockReason = "The wallet is locked.";
    await w.payEvery(minute, "MOB", 6);
    expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("all others wait") }]);
    w.mob.faults.state = "impossible";
    await w.pay("MOB");
    expect(await w.queryRows(order)).toMatchObject([
      { status: "failed", lastError: "the chain can no longer accept it" },
      { status: "planned", parkedAt: null },
    ]);
    expect(await w.alertsOf(order)).toEqual([]);
  });

  it.each([
    ["the token is paused", () => Promise.resolve({ paymentBlockReason: "The token is paused." })],
    ["no node responds", () => Promise.reject(new Error("No node responds."))],
  ])("T60 is not parked while %s, but an operator is alerted", async (_, read) => {
    const order = await w.planPayout("USDT");
    w.usdt.faults.unsendable.add(order.deliveryAddress);
    const { readWallet } = w.usdt;
    w.usdt.readWallet = async () => ({ ...(await readWallet()), ...(await read()) });
    await w.payEvery(minute, "USDT", 6);
    expect(await w.queryRows(order)).toMatchObject([{ status: "prepared", parkedAt: null, cancellation: null }]);
    expect(await w.alertsOf(order)).toMatchObject([
      {
        reason: expect.stringMatching(/cannot be sent \(HTTP 403\)\. We keep trying, and all others wait\.$/),
      },
    ]);
    w.usdt.readWallet = readWallet;
    w.usdt.faults.unsendable.clear();
    await w.settle();
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
    expect(await w.alertsOf(order)).toEqual([]);
  });

  it("T60 is parked if the network requires a higher fee than we may pay", async () => {
    const order = await w.planPayout("USDT");
    w.usdt.faults.minFee = 9;
    w.usdt.bumpPayment = async () => null;
    await w.payEvery(minute, "USDT", 6);
    expect(await w.queryRows(order)).toMatchObject([{ parkedAt: expect.any(Date), cancellation: expect.anything() }]);
    expect(await w.alertsOf(order)).toMatchObject([
      { reason: expect.stringContaining("the network refuses it (transaction underpriced).") },
    ]);
  });

  it("T60 is not reported to wait until the time at which it would be parked", async () => {
    const order = await w.planPayout("MOB");
    w.mob.faults.unsendable.add(order.deliveryAddress);
    await w.pay("MOB");
    expect(await w.queryRows(order)).toMatchObject([{ status: "prepared", notBefore: expect.any(Date) }]);
    const outcome = await describeOutcome(w.ctx.db, order.id);
    expect(outcome.at(-1)).toMatch(/, prepared$/);
  });

  it("T60 is parked once, and its bytes are sent again once a minute", async () => {
    const order = await w.planPayout("MOB");
    w.mob.faults.unsendable.add(order.deliveryAddress);
    await w.payEvery(minute, "MOB", 5);
    expect(await w.queryRows(order)).toMatchObject([{ status: "prepared", parkedAt: expect.any(Date) }]);
    const before = w.mob.broadcasts;
    await w.payEvery(minute / 4, "MOB", 40);
    expect(w.mob.broadcasts - before).toBe(10);
    expect(await w.eventsOf(order, "payment_parked")).toHaveLength(1);
  });

  it("does not keep others that were parked from being sent, and is logged", async () => {
    const orders = [await w.planPayout("MOB"), await w.planPayout("MOB")];
    for (const { deliveryAddress } of orders) w.mob.faults.unsendable.add(deliveryAddress);
    await w.payEvery(minute, "MOB", 10);
    const [first, second] = (await Promise.all(orders.map(w.queryRows))).map(([row]) => row);
    expect([first, second]).toMatchObject([{ parkedAt: expect.any(Date) }, { parkedAt: expect.any(Date) }]);
    const { getPaymentState } = w.mob;
    w.mob.getPaymentState = async (payment) => {
      if (payment.hash === first?.hash) throw new Error("The node does not respond.");
      return getPaymentState(payment);
    };
    w.mob.faults.unsendable.delete(orders[1]?.deliveryAddress ?? "");
    w.errors.length = 0;
    await w.pay("MOB");
    expect(w.paidTo(orders[1]?.deliveryAddress ?? "")).toHaveLength(1);
    expect(w.errors).toContainEqual(
      expect.objectContaining({ payment: first?.id, msg: expect.stringContaining("sent") }),
    );
  });
});

describe("a payment that is sent", () => {
  const w = forEachTest(createPaymentsHarness);

  it("T59 is announced once even if two workers send it at the same time", async () => {
    const order = await w.planPayout("USDT");
    const { broadcast } = w.usdt;
    let announced = 0;
    w.usdt.broadcast = async (payment) => {
      w.usdt.broadcast = broadcast;
      await w.pay("USDT");
      announced = (await w.eventsOf(order, "payment_sent")).length;
      await broadcast(payment);
    };
    await w.pay("USDT");
    const [row] = await w.queryRows(order);
    expect(row?.status).toBe("sent");
    expect(announced, "by the faster one").toBe(1);
    expect(await w.eventsOf(order, "payment_sent")).toMatchObject([{ data: { payment: row?.id, hash: row?.hash } }]);
  });
});
