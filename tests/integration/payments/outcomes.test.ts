import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import type { PreparedPayment } from "~/exchange.server/chains/gateway";
import { type PaymentRow, payments } from "~/exchange.server/db/schema/payments";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { holdOrder } from "~/exchange.server/orders/holds/hold";
import { retryParked } from "~/exchange.server/payments/parked/decide-parked";
import { parkPayment } from "~/exchange.server/payments/parked/park";
import { confirmPayment, failPayout, replacePayment } from "~/exchange.server/payments/sending/outcomes";
import { forEachTest } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

const w = forEachTest(createPaymentsHarness);
afterEach(async () => {
  expect(await w.checkBooks()).toEqual([]);
});

/** An order, and its payout that was planned, or was sent and is not in a block. */
const planOne = async ({ isSent = false } = {}) => {
  const order = await w.planPayout("USDT");
  w.usdt.faults.broadcast = "drop";
  if (isSent) await w.pay("USDT");
  const [payment] = await w.queryRows(order);
  if (!payment) throw new Error("no payment");
  expect(payment.status).toBe(isSent ? "sent" : "planned");
  return { order, payment };
};

describe("an outcome that is found late", () => {
  const expectUnchanged = async ({ order, payment }: Awaited<ReturnType<typeof planOne>>) => {
    expect(await w.queryRows(order)).toEqual([payment]);
    for (const kind of ["payment_parked", "payment_failed"] as const) expect(await w.eventsOf(order, kind)).toEqual([]);
    expect(await w.alertsOf(order)).toEqual([]);
  };

  it("T59 has no effect once another worker has signed the payment", async () => {
    const { order, payment: planned } = await planOne();
    await w.pay("USDT");
    const [payment] = await w.queryRows(order);
    if (!payment) throw new Error("no payment");
    await parkPayment(w.ctx, planned, { reason: "late", action: "Wait." });
    await failPayout(w.ctx, planned, "late");
    await replacePayment(w.ctx, planned, "late");
    await expectUnchanged({ order, payment });
    expect((await w.see(order.user, order.id)).status).toBe("paying_out");
  });

  it("does not ask the customer for a decision while the order is on hold", async () => {
    const { order, payment } = await planOne();
    await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." }));
    await failPayout(w.ctx, payment, "late");
    await expectUnchanged({ order, payment });
    expect((await w.see(order.user, order.id)).status).toBe("on_hold");
  });
});

describe("what replaces a payment without effect", () => {
  const replace = async (change: Partial<PaymentRow>) => {
    const { order, payment } = await planOne({ isSent: true });
    await w.ctx.db.update(payments).set(change).where(eq(payments.id, payment.id));
    await replacePayment(w.ctx, { ...payment, ...change }, "the chain can no longer accept it");
    const [failed, planned] = await w.queryRows(order);
    expect(failed).toMatchObject({ id: payment.id, status: "failed" });
    const { amount, address } = payment;
    expect(planned).toMatchObject({ status: "planned", hash: null, amount, address });
    return { planned, alerts: await w.alertsOf(order) };
  };

  it.each([
    [1, { isAlerted: false, isParked: false }],
    [2, { isAlerted: true, isParked: false }],
    [4, { isAlerted: true, isParked: false }],
    [5, { isAlerted: true, isParked: true }],
  ])("T60 waits half a minute; with %i refusals before: %o", async (refusals, { isAlerted, isParked }) => {
    const { planned, alerts } = await replace({ refusals });
    expect(planned?.refusals).toBe(refusals + 1);
    expect((planned?.notBefore?.getTime() ?? 0) - (planned?.createdAt.getTime() ?? 0)).toBe(30_000);
    expect(planned?.parkedAt !== null).toBe(isParked);
    expect(planned?.lastError).toBe(isParked ? "the chain can no longer accept it." : null);
    const subject = `payment:${planned?.id}`;
    const reason = expect.stringMatching(
      /^The payout of \S+ USDT cannot be made: the chain can no longer accept it\.$/,
    );
    const action = expect.stringContaining(isParked ? "operate retry" : "It is tried again");
    expect(alerts).toMatchObject(isAlerted ? [{ subject, reason, action }] : []);
  });

  it.each([
    ["no node had accepted it", { status: "prepared" as const }, "the chain can no longer accept it."],
    ["its refusals are counted already", { parkedAt: new Date(), lastError: "it is refused" }, "it is refused"],
    ["it is not known why it was parked", { parkedAt: new Date() }, "the chain can no longer accept it"],
  ])("T60 is not counted as refused once more if %s", async (_, change, cause) => {
    const { planned, alerts } = await replace({ ...change, refusals: 3 });
    expect(planned).toMatchObject({ refusals: 3, parkedAt: null });
    expect(alerts).toMatchObject([{ reason: expect.stringMatching(new RegExp(`USDT cannot be made: ${cause}$`)) }]);
  });
});

it("a payment whose booking fails for a reason other than missing funds is not reported as short of funds", async () => {
  const order = await w.planPayout("USDT");
  await w.pay("USDT");
  const [payment] = await w.queryRows(order);
  if (!payment) throw new Error("no payment");
  const version = { ...(payment.prepared as PreparedPayment), networkFee: "unreadable" };
  await expect(confirmPayment(w.ctx, payment, version, { confirmations: 3 })).rejects.toThrow("unreadable");
  expect(await w.queryRows(order)).toEqual([payment]);
  expect(await w.alertsOf(order)).toEqual([]);
});

it("a payment that is parked again keeps its first parking time, and gets the latest reason", async () => {
  const { order, payment } = await planOne();
  await parkPayment(w.ctx, payment, { reason: "The first.", action: "Wait." });
  const [first] = await w.queryRows(order);
  if (!first) throw new Error("no payment");
  w.wait(60_000);
  await parkPayment(w.ctx, first, { reason: "The second.", action: "Wait.", refusals: 2 });
  const { parkedAt } = first;
  expect(parkedAt).toBeInstanceOf(Date);
  expect(await w.queryRows(order)).toMatchObject([{ parkedAt, lastError: "The second.", refusals: 2 }]);
  expect(await w.eventsOf(order, "payment_parked")).toHaveLength(2);
  expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringMatching(/cannot be made: The second\.$/) }]);
});

describe("the owner of an order", () => {
  const collectMails = () => {
    const subjects: string[] = [];
    w.ctx.mail = { send: async ({ subject }) => void subjects.push(subject.replace(/\d+\.\d+/, "…")) };
    const sendAll = async () => {
      while ((await sendOutbox(w.ctx)) > 0);
    };
    return async () => {
      await w.settle();
      await sendAll();
      return subjects;
    };
  };
  const pay = async (...percents: bigint[]) => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    for (const percent of percents) w.usdt.deposit(order.fundingAddress, (order.sourceAmount * percent) / 100n);
    w.usdt.mine(3);
    await w.scan("USDT");
    return { user, order, finish: collectMails() };
  };

  it("gets an e-mail about a surplus that was returned, and one about the swap", async () => {
    const { finish } = await pay(150n);
    expect((await finish()).sort()).toEqual(["We returned … USDT to you", "Your swap is complete: … MOB"]);
  });

  it("gets one e-mail about the swap even if its payout is made again after a reorg (T50)", async () => {
    const finish = collectMails();
    const order = await w.planPayout("USDT");
    await w.pay("USDT");
    w.usdt.mine(2);
    await w.pay("USDT");
    const [removed] = await w.queryRows(order);
    expect(removed?.status).toBe("confirmed");
    w.usdt.loseFromChain(removed?.hash ?? "");
    await w.usdt.broadcast({ ...(removed?.prepared as PreparedPayment), to: "somebody", amount: "0", hash: "rival" });
    w.usdt.mine(3);
    await w.pay("USDT");
    const [, parked] = await w.queryRows(order);
    await w.ctx.db.transaction((tx) => retryParked(tx, w.ctx, parked?.id ?? ""));
    expect(await finish()).toEqual(["Your swap is complete: … USDT"]);
    expect((await w.queryRows(order)).map(({ status }) => status)).toEqual(["failed", "confirmed"]);
    expect(await w.eventsOf(order, "completed")).toHaveLength(1);
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("gets one e-mail about all refunds, once the last one is made", async () => {
    const { user, order, finish } = await pay(60n);
    await w.decide(user, order.id, { choice: "refund" });
    await w.pay("USDT");
    w.usdt.deposit(order.fundingAddress, 20_000_000n);
    w.usdt.mine(2);
    await w.scan("USDT");
    expect(await finish()).toEqual(["Your swap was refunded: … USDT"]);
    expect(w.paidTo(order.refundAddress)).toHaveLength(2);
  });
});
