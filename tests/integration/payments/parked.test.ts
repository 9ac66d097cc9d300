import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { PaymentRefusedError } from "~/exchange.server/chains/gateway";
import type { Mail } from "~/exchange.server/context";
import type { Database } from "~/exchange.server/db/database";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { unknownPayments } from "~/exchange.server/db/schema/history";
import { type OrderRow, orders } from "~/exchange.server/db/schema/orders";
import { type PaymentRow, payments } from "~/exchange.server/db/schema/payments";
import { newId } from "~/exchange.server/ids";
import { external, getBalance, post, treasury } from "~/exchange.server/ledger/ledger";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { describePaymentOutcome } from "~/exchange.server/operator/describe-outcome";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { getMovements } from "~/exchange.server/orders/views/movements";
import { markPlannedPaid } from "~/exchange.server/payments/mark-paid";
import {
  readdressParked,
  refundParkedPayout,
  releasePossibleDuplicate,
  retryParked,
} from "~/exchange.server/payments/parked/decide-parked";
import { parkPayment } from "~/exchange.server/payments/parked/park";
import { addMs, dayMs, hourMs } from "~/lib/durations";
import { forEachTest } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

const w = forEachTest(createPaymentsHarness);
afterEach(async () => {
  expect(await w.checkBooks()).toEqual([]);
});

const paymentOf = async (order: OrderRow): Promise<PaymentRow> => {
  const row = (await w.queryRows(order)).at(-1);
  if (!row) throw new Error("the order has no payment");
  return row;
};
/** An order whose payout of MOB is parked before anything was signed for it. */
const park = async () => {
  const order = await w.planPayout("MOB");
  await parkPayment(w.ctx, await paymentOf(order), { reason: "A test.", action: "Wait." });
  return { order, payment: await paymentOf(order) };
};
/** An order whose refund of USDT is parked. */
const parkRefund = async () => {
  const user = await w.createUser();
  const order = await w.lock(user, "USDT", "100");
  w.usdt.deposit(order.fundingAddress, 60_000_000n);
  w.usdt.mine(3);
  await w.scan("USDT");
  await w.decide(user, order.id, { choice: "refund" });
  await parkPayment(w.ctx, await paymentOf(order), { reason: "A test.", action: "Wait." });
  return { order, user, payment: await paymentOf(order) };
};
const inTx = (act: (tx: Database) => Promise<unknown>) => w.ctx.db.transaction(act);
const retry = (id: string) => inTx((tx) => retryParked(tx, w.ctx, id));
const readdress = (paymentId: string, address: string) =>
  inTx((tx) => readdressParked(tx, w.ctx, { paymentId, address }));
const markPaid = (paymentId: string, hash: string, isForced = false) =>
  inTx((tx) => markPlannedPaid(tx, w.ctx, { paymentId, hash, isForced }));
const refund = ({ id }: OrderRow) => inTx(async (tx) => refundParkedPayout(tx, w.ctx, await lockOrderRow(tx, id)));
const saveAddress = async (accountId: string, type: "ETH" | "MOB", address: string, ageMs = 2 * dayMs) => {
  const createdAt = addMs(await w.ctx.clock.now(w.ctx.db), -ageMs);
  const canonical = address.toLowerCase();
  await w.ctx.db
    .insert(deliveryAddresses)
    .values({ id: newId(), accountId, type, address, canonical, label: "", createdAt });
};
/** Our wallet has made a payment of the same amount, which this database does not know. */
const payUnknown = async ({ asset, amount }: PaymentRow) => {
  const foundAt = await w.ctx.clock.now(w.ctx.db);
  await w.ctx.db.insert(unknownPayments).values({ asset, amount, address: "somebody", hash: "unknown", foundAt });
};

describe("what an operator decides about a payment", () => {
  it("is refused while it is not parked, or something is signed for it, and if it does not exist", async () => {
    const order = await w.planPayout("MOB");
    const { id } = await paymentOf(order);
    const decisions = [retry, (of: string) => readdress(of, "mob-of-nobody"), (of: string) => markPaid(of, "by hand")];
    for (const decision of decisions) {
      await expect(decision("no payment")).rejects.toMatchObject({ code: "not_found" });
      await expect(decision(id)).rejects.toMatchObject({ code: "conflict" });
    }
    await expect(refund(order)).rejects.toMatchObject({ code: "conflict" });

    w.mob.faults.unsendable.add(order.deliveryAddress);
    await w.payEvery(60_000, "MOB", 6);
    expect(await paymentOf(order)).toMatchObject({ status: "prepared", parkedAt: expect.any(Date) });
    for (const decision of decisions) await expect(decision(id)).rejects.toMatchObject({ code: "conflict" });
    await expect(refund(order)).rejects.toMatchObject({ code: "conflict" });
  });

  it("T48 allows only booking or retrying it if our wallet may have made it already", async () => {
    const { order, payment } = await park();
    await saveAddress(order.accountId, "MOB", "another");
    await payUnknown(payment);
    await expect(readdress(payment.id, "another")).rejects.toMatchObject({ code: "conflict" });
    await expect(refund(order)).rejects.toMatchObject({ code: "conflict" });
    expect(await paymentOf(order)).toEqual(payment);
    await expect(markPaid(payment.id, "unknown")).rejects.toThrow(/ MOB to somebody, but this payment is /);
    await markPaid(payment.id, "unknown", true);
    expect((await w.see(order.user, order.id)).status).toBe("completed");
  });

  it("resets the counts of the payment's failures", async () => {
    const { order, payment } = await park();
    const at = await w.ctx.clock.now(w.ctx.db);
    await w.ctx.db.update(payments).set({ attempts: 9, refusals: 6, notBefore: at }).where(eq(payments.id, payment.id));
    await retry(payment.id);
    expect(await paymentOf(order)).toMatchObject({
      ...{ parkedAt: null, attempts: 0, refusals: 0, notBefore: null, lastError: null },
    });
    expect(await w.alertsOf(order)).toEqual([]);
  });
});

describe("paying to another address", () => {
  it("T88 is refused if the address is a funding address of ours", async () => {
    const { order, payment } = await park();
    await saveAddress(order.accountId, "MOB", "ours");
    const isOfOwner = eq(deliveryAddresses.accountId, order.accountId);
    await w.ctx.db.update(deliveryAddresses).set({ isOurs: true }).where(isOfOwner);
    await expect(readdress(payment.id, "ours")).rejects.toMatchObject({ code: "address_invalid" });
    expect(await paymentOf(order)).toEqual(payment);
  });

  it("changes the delivery address of an order with its payout", async () => {
    const { order, payment } = await park();
    await saveAddress(order.accountId, "MOB", "Another");
    await readdress(payment.id, "aNOTHER");
    expect(await paymentOf(order)).toMatchObject({ address: "Another", parkedAt: null });
    const { delivery_address, refund_address, outgoing_txs } = await w.see(order.user, order.id);
    expect([delivery_address, refund_address]).toEqual(["Another", order.refundAddress]);
    expect(outgoing_txs).toMatchObject([{ purpose: "payout", address: "Another" }]);
    expect(await w.eventsOf(order, "payment_readdressed")).toMatchObject([
      { data: { payment: payment.id, from: order.deliveryAddress, to: "Another" } },
    ]);
  });

  it("changes the refund address of an order with its refund", async () => {
    const { order, user, payment } = await parkRefund();
    await saveAddress(order.accountId, "ETH", "another");
    await readdress(payment.id, "another");
    const { delivery_address, refund_address } = await w.see(user, order.id);
    expect([delivery_address, refund_address]).toEqual([order.deliveryAddress, "another"]);
    await w.settle();
    expect(w.paidTo("another")).toHaveLength(1);
  });
});

describe("T31 a payment to another address, if preparing it for the old address fails only afterwards", () => {
  const readdress = async (payment: PaymentRow, { accountId }: OrderRow, type: "ETH" | "MOB") => {
    const createdAt = await w.ctx.clock.now(w.ctx.db);
    const saved = { accountId, type, address: "new", canonical: "new", label: "", createdAt };
    await w.ctx.db.insert(deliveryAddresses).values({ id: newId(), ...saved });
    await inTx((tx) => readdressParked(tx, w.ctx, { paymentId: payment.id, address: "new" }));
  };
  /** Runs the payment job. While it prepares an order's payment, which then fails, the payment is re-addressed. */
  const failLate = async (order: OrderRow, asset: "USDT" | "MOB", error: Error) => {
    const gateway = w.chains[asset];
    const { preparePayment } = gateway;
    gateway.preparePayment = async () => {
      gateway.preparePayment = preparePayment;
      await parkPayment(w.ctx, await paymentOf(order), { reason: "A test.", action: "Wait." });
      await readdress(await paymentOf(order), order, asset === "USDT" ? "ETH" : "MOB");
      throw error;
    };
    await w.pay(asset);
    expect(await paymentOf(order)).toMatchObject({ status: "planned", address: "new", parkedAt: null, attempts: 0 });
    w.wait(2_000);
    await w.pay(asset);
    expect(w.paidTo("new")).toHaveLength(0);
    w.wait(dayMs);
    await w.tick();
    expect(w.paidTo("new")).toHaveLength(1);
  };

  it("still waits for a day", async () => {
    await failLate(await w.planPayout("MOB"), "MOB", new Error("socket hang up"));
  });

  it("does not fail because the old address is refused", async () => {
    await failLate(await w.planPayout("MOB"), "MOB", new PaymentRefusedError("This address is blocked."));
  });

  it("is not parked because the old address is refused", async () => {
    const { order, payment } = await parkRefund();
    await retry(payment.id);
    await failLate(order, "USDT", new PaymentRefusedError("This address is blocked."));
  });
});

describe("booking a payment that was made by hand", () => {
  it("is refused with the transaction of another payment", async () => {
    const paid = await w.planPayout("MOB");
    await w.settle();
    const { hash } = await paymentOf(paid);
    const { order, payment } = await park();
    await expect(markPaid(payment.id, hash ?? "")).rejects.toMatchObject({
      code: "invalid",
      message: `${hash} is already the transaction of another payment: look for this payment's transaction.`,
    });
    expect(await paymentOf(order)).toEqual(payment);
  });

  it.each(["payout", "refund"] as const)(
    "completes an order on hold only if it was the payout, not a refund: %s",
    async (purpose) => {
      const { order, payment } = purpose === "payout" ? await park() : await parkRefund();
      await inTx((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." }));
      await markPaid(payment.id, "by hand");
      expect(await paymentOf(order)).toMatchObject({
        status: "confirmed",
        hash: "by hand",
        settledAt: expect.any(Date),
      });
      const [{ status } = {}] = [(await inTx((tx) => lockOrderRow(tx, order.id))) as OrderRow];
      expect(status).toBe(purpose === "payout" ? "completed" : "on_hold");
      expect(await w.alertsOf(order)).not.toContainEqual(expect.objectContaining({ subject: `payment:${payment.id}` }));
    },
  );

  it("ends the order when its hold ends, if it was its last refund", async () => {
    const { order, payment } = await parkRefund();
    await inTx((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." }));
    await markPaid(payment.id, "by hand");
    expect(await inTx((tx) => releaseOrder(tx, w.ctx, order.id))).toMatchObject({ status: "refunded", heldFrom: null });
  });

  it("T48 is refused while another payment of the same amount to the same address is under way", async () => {
    const first = await w.planPayout("USDT");
    w.usdt.faults.broadcast = "drop";
    await w.pay("USDT");
    const { id } = await paymentOf(first);
    const order = await w.planPayout("USDT", first.user);
    await parkPayment(w.ctx, await paymentOf(order), { reason: "A test.", action: "Wait." });
    const payment = await paymentOf(order);
    await expect(markPaid(payment.id, "0xhash")).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringMatching(`^Payment ${id} of the same amount to the same address is under way, and 0xhash`),
    });
    expect(await paymentOf(order)).toEqual(payment);
  });

  it("does not end the hold of an order if it was the refund of its surplus", async () => {
    const order = await w.lock(await w.createUser(), "MOB", "100");
    w.mob.deposit(order.fundingAddress, (order.sourceAmount * 3n) / 2n);
    await w.scan("MOB");
    const surplus = (await w.queryRows(order)).find(({ purpose }) => purpose === "refund");
    if (!surplus) throw new Error("the order has no surplus");
    await parkPayment(w.ctx, surplus, { reason: "A test.", action: "Wait." });
    await inTx((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." }));
    await markPaid(surplus.id, "by hand");
    expect(await inTx((tx) => lockOrderRow(tx, order.id))).toMatchObject({ status: "on_hold", heldFrom: "paying_out" });
  });
});

it("T31 a payout that has to wait after a recovery of the account still waits when it is retried", async () => {
  const { order, payment } = await park();
  const payoutNotBefore = new Date((await w.ctx.clock.now(w.ctx.db)).getTime() + 3_600_000);
  await w.ctx.db.update(orders).set({ payoutNotBefore }).where(eq(orders.id, order.id));
  await retry(payment.id);
  expect(await paymentOf(order)).toMatchObject({ parkedAt: null, notBefore: payoutNotBefore });
  await w.pay("MOB");
  expect(await paymentOf(order)).toMatchObject({ status: "planned" });
});

it.each(["payout", "refund"])(
  "T31 a %s to another address waits after a recovery of the account, even if its order was locked before",
  async (purpose) => {
    const { order, payment } = purpose === "payout" ? await park() : await parkRefund();
    const payoutsWaitUntil = new Date((await w.ctx.clock.now(w.ctx.db)).getTime() + 3_600_000);
    await w.ctx.db.update(accounts).set({ payoutsWaitUntil }).where(eq(accounts.id, order.accountId));
    await saveAddress(order.accountId, purpose === "payout" ? "MOB" : "ETH", "another");
    await readdress(payment.id, "another");
    expect(await paymentOf(order)).toMatchObject({ parkedAt: null, notBefore: payoutsWaitUntil });
    await parkPayment(w.ctx, await paymentOf(order), { reason: "Something else.", action: "Wait." });
    await retry(payment.id);
    expect(await paymentOf(order)).toMatchObject({ parkedAt: null, notBefore: payoutsWaitUntil });
    await w.pay(payment.asset);
    expect(w.paidTo("another")).toHaveLength(0);
    w.wait(3_700_000);
    await w.pay(payment.asset);
    expect(w.paidTo("another")).toHaveLength(1);
  },
);

it.each(["payout", "refund"])(
  "T31 a %s to an address that was saved an hour ago waits for the rest of a day, and its owner is told both addresses",
  async (purpose) => {
    const { order, payment } = purpose === "payout" ? await park() : await parkRefund();
    const type = purpose === "payout" ? "MOB" : "ETH";
    await w.ctx.db
      .update(accounts)
      .set({ mutedMails: ["paid_out", "refunded"] })
      .where(eq(accounts.id, order.accountId));
    await saveAddress(order.accountId, type, "another", hourMs);
    const mails: Mail[] = [];
    w.ctx.mail = { send: async (mail) => void mails.push(mail) };
    const until = addMs(await w.ctx.clock.now(w.ctx.db), 23 * hourMs);
    await readdress(payment.id, "another");
    const isAbout = (date: Date | null | undefined) => Math.abs((date?.getTime() ?? 0) - until.getTime()) < 60_000;
    expect(isAbout((await paymentOf(order)).notBefore)).toBe(true);
    expect((await describePaymentOutcome(w.ctx.db, payment.id)).join("\n")).toMatch(/it waits until \d{4}-/);
    const readWait = async () =>
      (await getMovements(w.ctx.db, order.id)).outgoing.map(({ waits_until }) => waits_until);
    expect(await readWait()).toEqual([(await paymentOf(order)).notBefore?.toISOString()]);
    await sendOutbox(w.ctx);
    const notice = mails.find(({ subject }) => subject.startsWith("We changed where we send"));
    expect(notice?.to).toBe(`${order.accountId.toLowerCase()}@example.org`);
    expect(notice?.text).toContain(payment.address);
    expect(notice?.text).toContain("another");
    expect(notice?.text).toContain("Won't be sent before");

    await parkPayment(w.ctx, await paymentOf(order), { reason: "Something else.", action: "Wait." });
    expect(await readWait()).toEqual([undefined]);
    await retry(payment.id);
    expect(isAbout((await paymentOf(order)).notBefore)).toBe(true);
    w.wait(22 * hourMs);
    await w.tick();
    await w.pay(payment.asset);
    expect(w.paidTo("another")).toHaveLength(0);
    const readSent = async () => (await getMovements(w.ctx.db, order.id)).outgoing.map(({ sent_at }) => sent_at);
    expect(await readSent()).toEqual([undefined]);
    w.wait(hourMs + 60_000);
    await w.tick();
    await w.pay(payment.asset);
    expect(w.paidTo("another")).toHaveLength(1);
    const [sentAt = ""] = await readSent();
    expect(Date.parse(sentAt)).toBeGreaterThan(until.getTime() - 60_000);
  },
);

it("T31 a refund that is planned again after a reorg waits as long as the re-addressed one", async () => {
  const user = await w.createUser();
  const order = await w.lock(user, "USDT", "100");
  const lost = w.usdt.deposit(order.fundingAddress, 20_000_000n);
  w.usdt.deposit(order.fundingAddress, 60_000_000n);
  w.usdt.mine(3);
  await w.scan("USDT");
  await w.decide(user, order.id, { choice: "refund" });
  await parkPayment(w.ctx, await paymentOf(order), { reason: "A test.", action: "Wait." });
  await saveAddress(order.accountId, "ETH", "another", hourMs);
  await readdress((await paymentOf(order)).id, "another");
  const { notBefore } = await paymentOf(order);

  w.usdt.reorgAway(lost);
  await w.tick();
  const [withdrawn, again] = await w.queryRows(order);
  expect(withdrawn?.status).toBe("failed");
  expect(again).toMatchObject({ status: "planned", address: "another", grossAmount: 60_000_000n, notBefore });
  await w.pay("USDT");
  expect(w.paidTo("another")).toHaveLength(0);
  w.wait(23 * hourMs + 60_000);
  await w.settle();
  expect(w.paidTo("another")).toHaveLength(1);
});

describe("refunding an order whose payout is parked", () => {
  it("is refused while the order is on hold", async () => {
    const { order, payment } = await park();
    await inTx((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." }));
    await expect(refund(order)).rejects.toMatchObject({ code: "conflict" });
    expect(await paymentOf(order)).toEqual(payment);
  });

  it("is refused to an order that was not filled", async () => {
    const order = await w.lock(await w.createUser(), "USDT", "100");
    await expect(refund(order)).rejects.toMatchObject({ code: "conflict" });
  });

  it("changes nothing if the fill cannot be undone", async () => {
    const { order, payment } = await park();
    const at = await w.ctx.clock.now(w.ctx.db);
    const amount = await getBalance(w.ctx.db, "USDT", treasury);
    const drain = { asset: "USDT", from: treasury, to: external, amount, kind: "float" } as const;
    await inTx((tx) => post(tx, { transfers: [drain], orderId: null, at }));
    await expect(refund(order)).rejects.toThrow();
    expect(await paymentOf(order)).toEqual(payment);
  });

  it("returns what the customer has paid, and pays nothing out", async () => {
    const { order, payment } = await park();
    await refund(order);
    expect(await w.eventsOf(order, "payment_failed")).toMatchObject([
      { data: { payment: payment.id, reason: "refunded by an operator" } },
    ]);
    expect(await w.eventsOf(order, "decision_needed")).toMatchObject([{ data: { reason: "payout_failed" } }]);
    expect(await inTx((tx) => lockOrderRow(tx, order.id))).toMatchObject({ decisionReason: "payout_failed" });
    await w.settle();
    expect((await w.see(order.user, order.id)).status).toBe("refunded");
    expect(w.paidTo(order.refundAddress)).toHaveLength(1);
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(0);
  });
});

describe("a payment that is not a duplicate after all", () => {
  const parkPossibleDuplicates = async () => {
    const order = await w.planPayout("MOB");
    await parkPayment(w.ctx, await paymentOf(order), { reason: "A test.", action: "Wait.", mayDuplicate: "unknown" });
    return { order, payment: await paymentOf(order) };
  };

  it("is prepared again", async () => {
    const { order, payment } = await parkPossibleDuplicates();
    await releasePossibleDuplicate(w.ctx, payment);
    expect(await paymentOf(order)).toMatchObject({ parkedAt: null, mayDuplicate: null, lastError: null });
    expect(await w.alertsOf(order)).toEqual([]);
    await w.settle();
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it.each([
    ["it is parked because of another payment", { mayDuplicate: "another" }],
    ["it is retried already", { parkedAt: null, attempts: 2 }],
    ["it has failed", { status: "failed" }],
  ] as const)("T59 stays as it is if, in the meantime, %s", async (_, change) => {
    const { order, payment } = await parkPossibleDuplicates();
    await w.ctx.db.update(payments).set(change).where(eq(payments.id, payment.id));
    const alerts = await w.alertsOf(order);
    await releasePossibleDuplicate(w.ctx, payment);
    expect(await paymentOf(order)).toEqual({ ...payment, ...change });
    expect(await w.alertsOf(order)).toEqual(alerts);
    // What is owed for it was not changed: the books would not balance.
    await w.ctx.db.update(payments).set({ status: "planned" }).where(eq(payments.id, payment.id));
  });
});
