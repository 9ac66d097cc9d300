import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { PaymentState, PreparedPayment } from "~/exchange.server/chains/gateway";
import { unknownPayments } from "~/exchange.server/db/schema/history";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { alertPayment } from "~/exchange.server/payments/parked/park";
import { addMs } from "~/lib/durations";
import { forEachTest } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

const minute = 60_000;
const w = forEachTest(createPaymentsHarness);
afterEach(async () => {
  expect(await w.checkBooks()).toEqual([]);
});

/** Two orders whose payouts were sent but are not in a block. */
const sendTwo = async () => {
  const orders = [await w.planPayout("USDT"), await w.planPayout("USDT")] as const;
  w.usdt.faults.broadcast = "drop";
  await w.pay("USDT");
  const [[first], [second]] = [await w.queryRows(orders[0]), await w.queryRows(orders[1])];
  if (!first?.hash || !second) throw new Error("two payments");
  expect([first, second]).toMatchObject([{ status: "sent" }, { status: "sent" }]);
  return { orders, first, second };
};

describe("payments of MOB", () => {
  it("wait and alert an operator while comparing what the wallet has paid fails with an error (T48)", async () => {
    await checkHistory(w.ctx, "MOB", { isThorough: true });
    const order = await w.planPayout("MOB");
    const { listOutgoing } = w.mob;
    w.mob.listOutgoing = () => Promise.reject(new Error("The wallet does not respond."));
    const pay = () => expect(w.pay("MOB")).rejects.toThrow("The wallet does not respond.");
    await pay();
    w.wait(9 * minute);
    await pay();
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    w.wait(minute);
    await pay();
    expect(await listAlerts(w.ctx.db)).toMatchObject([
      {
        subject: "history:MOB",
        reason:
          "What our MOB wallet has paid cannot be compared with this database (The wallet does not respond.). We keep trying.",
        action: "Check full-service (MOBILECOIN_URL).",
      },
    ]);
    w.mob.listOutgoing = listOutgoing;
    await w.settle();
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("don't alert anyone if comparing fails again after a success, or after such a long time that another process may have compared in between", async () => {
    await checkHistory(w.ctx, "MOB", { isThorough: true });
    const { listOutgoing } = w.mob;
    const compare = async (isFailing: boolean) => {
      w.mob.listOutgoing = isFailing ? () => Promise.reject(new Error("The wallet does not respond.")) : listOutgoing;
      await checkHistory(w.ctx, "MOB", { isThorough: false }).catch(() => undefined);
      return listAlerts(w.ctx.db);
    };
    await compare(true);
    w.wait(9 * minute);
    await compare(true);
    await compare(false);
    w.wait(minute);
    expect(await compare(true)).toEqual([]);
    w.wait(10 * minute);
    expect(await compare(true)).toEqual([]);
  });
});

describe("sent payments that are not in a block", () => {
  it("T60 alert an operator to the first of them only: the others may wait behind it", async () => {
    const { orders } = await sendTwo();
    await w.payEvery(minute, "USDT", 12);
    expect(await w.alertsOf(orders[0])).toMatchObject([
      {
        reason: expect.stringMatching(
          /^The payout of \S+ USDT is not in a block: it was sent more than ten minutes ago\. We keep resending it, and other/,
        ),
        action: expect.stringContaining(`Look up the transaction of ${w.usdt.signer} with nonce 0 in`),
      },
    ]);
    expect(await w.alertsOf(orders[1])).toEqual([]);
    expect(w.errors.filter(({ payment }) => payment !== undefined)).toEqual([]);
  });

  it.each([
    ["could not be prepared", 0],
    ["was refused", 3],
  ])("T60 alert an operator even if there is an alert from before one was sent: it %s", async (problem, refusals) => {
    const order = await w.planPayout("USDT");
    const [planned] = await w.queryRows(order);
    if (!planned) throw new Error("a payment");
    await w.ctx.db.update(payments).set({ refusals }).where(eq(payments.id, planned.id));
    const at = await w.ctx.clock.now(w.ctx.db);
    await alertPayment(w.ctx.db, w.ctx, planned, { reason: `it ${problem}.`, action: "Wait.", at });
    w.usdt.faults.broadcast = "drop";
    await w.pay("USDT");
    expect(await w.alertsOf(order)).toHaveLength(refusals === 0 ? 0 : 1);
    w.wait(11 * minute);
    await w.pay("USDT");
    expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("is not in a block") }]);
  });

  it("are sent again up to the 25th nonce: the others wait for these, and would delay new payments", async () => {
    const { second } = await sendTwo();
    const copies = Array.from({ length: 30 }, (_, i) => {
      return { ...second, id: `copy-${i}`, purpose: "refund" as const, nonce: (second.nonce ?? 0) + 1 + i };
    });
    await w.ctx.db.insert(payments).values(copies);
    const before = w.usdt.broadcasts;
    await w.pay("USDT");
    expect(w.usdt.broadcasts - before).toBe(25);
    await w.ctx.db.delete(payments).where(eq(payments.purpose, "refund"));
  });

  it("T60 don't alert anyone right after the fee of the first one was raised", async () => {
    const { orders, first } = await sendTwo();
    w.wait(11 * minute);
    await w.ctx.db
      .update(payments)
      .set({ updatedAt: await w.ctx.clock.now(w.ctx.db) })
      .where(eq(payments.id, first.id));
    await w.pay("USDT");
    for (const order of orders) expect(await w.alertsOf(order)).toEqual([]);
    expect(w.errors).toEqual([]);
  });

  it("T60 alert an operator after twenty minutes, however often the fee of the first one was raised", async () => {
    const { orders, first } = await sendTwo();
    const raise = async (waitMs: number) => {
      w.wait(waitMs);
      const updatedAt = await w.ctx.clock.now(w.ctx.db);
      await w.ctx.db.update(payments).set({ updatedAt }).where(eq(payments.id, first.id));
      await w.pay("USDT");
    };
    await raise(19 * minute);
    expect(await w.alertsOf(orders[0])).toEqual([]);
    await raise(minute);
    expect(await w.alertsOf(orders[0])).toMatchObject([{ reason: expect.stringContaining("is not in a block") }]);
    expect(await w.alertsOf(orders[1])).toEqual([]);
  });

  it.each<PaymentState>([
    { kind: "in_block", blockNumber: 1, blockHash: "disputed", confirmations: 1, disputed: true },
    { kind: "reverted" },
    { kind: "impossible" },
  ])("T60 alert an operator to the next one if the chain has decided about the first: $state", async (decided) => {
    const { orders, first } = await sendTwo();
    w.wait(11 * minute);
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async (payment) => (payment.hash === first.hash ? decided : getPaymentState(payment));
    await w.pay("USDT");
    expect(await w.alertsOf(orders[0])).toEqual([]);
    expect(await w.alertsOf(orders[1])).toMatchObject([{ reason: expect.stringContaining("is not in a block") }]);
  });

  it("T60 alert an operator even if one before them is parked and waits for its cancellation", async () => {
    const stuck = await w.planPayout("USDT");
    w.usdt.faults.refused.add(stuck.deliveryAddress);
    w.usdt.faults.broadcast = "drop";
    await w.payEvery(0, "USDT", 3);
    expect(await w.queryRows(stuck)).toMatchObject([{ status: "prepared", cancellationSentAt: expect.any(Date) }]);
    const order = await w.planPayout("USDT");
    await w.payEvery(minute, "USDT", 13);
    expect(await w.queryRows(order)).toMatchObject([{ status: "sent" }]);
    expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("is not in a block") }]);
  });

  it("T60 don't alert anyone if the first one, sent long ago, only seems to have left its block", async () => {
    const order = await w.planPayout("USDT");
    await w.payEvery(0, "USDT", 2);
    const [included] = await w.queryRows(order);
    if (!included) throw new Error("a payment");
    expect(included.confirmations).toBeGreaterThan(0);
    const sentAt = addMs(await w.ctx.clock.now(w.ctx.db), -21 * minute);
    await w.ctx.db.update(payments).set({ sentAt }).where(eq(payments.id, included.id));
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async () => ({ kind: "unknown" });
    await w.pay("USDT");
    expect(await w.queryRows(order)).toMatchObject([{ status: "sent", confirmations: 0 }]);
    expect(await w.alertsOf(order)).toEqual([]);
    await w.pay("USDT");
    expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("is not in a block") }]);
    w.usdt.getPaymentState = getPaymentState;
    await w.settle();
    expect(await w.alertsOf(order)).toEqual([]);
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("are followed even if one of them cannot be looked up, which is logged", async () => {
    const { orders, first } = await sendTwo();
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async (payment) => {
      if (payment.hash === first.hash) throw new Error("No node responds.");
      return getPaymentState(payment);
    };
    w.usdt.faults.broadcast = "ok";
    await w.payEvery(0, "USDT", 1);
    expect(w.paidTo(orders[1].deliveryAddress)).toHaveLength(1);
    expect(w.errors).toMatchObject([{ payment: first.id, msg: "a payment could not be followed" }]);
  });
});

describe("raising the fee of a payment", () => {
  /** Sends a payment that is never included in a block, and has the gateway raise its fee from then on. */
  const sendCheap = async () => {
    const order = await w.planPayout("USDT");
    w.usdt.faults.broadcast = "drop";
    await w.pay("USDT");
    const { bumpPayment, broadcast } = w.usdt;
    const sent: string[] = [];
    w.usdt.broadcast = async (payment) => {
      sent.push(payment.hash);
      await broadcast(payment);
    };
    const raise = (payment: PreparedPayment) => bumpPayment(payment, { refused: true });
    w.usdt.bumpPayment = raise;
    return { order, sent, raise };
  };

  it("sends the new version, once it is stored", async () => {
    const { order, sent } = await sendCheap();
    const [before] = await w.queryRows(order);
    await w.pay("USDT");
    const [after] = await w.queryRows(order);
    expect(after?.superseded).toEqual([before?.prepared]);
    expect(after?.hash).not.toBe(before?.hash);
    expect(sent).toEqual([after?.hash]);
  });

  it("does not look like a lost commit to the process that signed the first version (T48)", async () => {
    await sendCheap();
    await w.pay("USDT");
    const next = await w.planPayout("USDT");
    await w.pay("USDT");
    expect(await w.queryRows(next)).toMatchObject([{ status: "sent" }]);
  });

  it("replaces the payment once the chain has included an earlier version without effect", async () => {
    const { order } = await sendCheap();
    const [before] = await w.queryRows(order);
    await w.pay("USDT");
    w.usdt.getPaymentState = async ({ hash }) => ({ kind: hash === before?.hash ? "reverted" : "unknown" });
    await w.pay("USDT");
    expect(await w.queryRows(order)).toMatchObject([
      { status: "failed", lastError: "the chain included it without effect" },
      { status: "planned" },
    ]);
  });

  it("T59 never sends a version that is not stored, because another worker was faster", async () => {
    const { order, sent, raise } = await sendCheap();
    w.usdt.bumpPayment = async (payment) => {
      w.usdt.bumpPayment = raise;
      await w.pay("USDT");
      w.usdt.bumpPayment = async () => null;
      const late = await raise(payment);
      return late && { ...late, hash: "0xlate" };
    };
    await w.pay("USDT");
    const stored = (await w.queryRows(order)).flatMap(({ superseded, prepared }) => [
      ...superseded,
      prepared as PreparedPayment,
    ]);
    expect(stored).toHaveLength(2);
    expect(sent).not.toEqual([]);
    expect(stored.map(({ hash }) => hash)).toEqual(expect.arrayContaining(sent));
  });
});

it("T48 books a version of a payment that only a restored backup can have lost, once it is in a block", async () => {
  await checkHistory(w.ctx, "USDT", { isThorough: true });
  const order = await w.planPayout("USDT");
  w.usdt.faults.broadcast = "drop";
  await w.pay("USDT");
  const [row] = await w.queryRows(order);
  // Another transfer that this database does not know either, of the same amount to the same address.
  const at = await w.ctx.clock.now(w.ctx.db);
  const transfer = { asset: "USDT", address: order.deliveryAddress, amount: row?.amount ?? 0n } as const;
  await w.ctx.db.insert(unknownPayments).values({ ...transfer, hash: "0xanother", foundAt: at });
  w.usdt.faults.broadcast = "ok";
  await w.usdt.broadcast({ ...(row?.prepared as PreparedPayment), hash: "0xforgotten" });
  await checkHistory(w.ctx, "USDT", { isThorough: true });
  const { getPaymentState } = w.usdt;
  w.usdt.getPaymentState = async (payment, includedAs) =>
    includedAs === undefined ? { kind: "unknown" } : getPaymentState({ ...payment, nonce: null, hash: includedAs });
  w.usdt.faults.broadcast = "drop";
  await w.pay("USDT");
  expect(await w.queryRows(order)).toMatchObject([{ status: "sent", confirmations: 1 }]);
  w.usdt.mine(3);
  await w.pay("USDT");
  expect(await w.queryRows(order)).toMatchObject([{ status: "confirmed", hash: "0xforgotten" }]);
  expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
});

it("T48 does not look for lost versions of a payment of MOB, which has only one version", async () => {
  const order = await w.planPayout("MOB");
  w.mob.faults.broadcast = "drop";
  await w.pay("MOB");
  const [row] = await w.queryRows(order);
  const transfer = { asset: "MOB", address: order.deliveryAddress, amount: row?.amount ?? 0n } as const;
  const foundAt = await w.ctx.clock.now(w.ctx.db);
  await w.ctx.db.insert(unknownPayments).values({ ...transfer, hash: "another", foundAt });
  const lookedUp: (string | undefined)[] = [];
  w.mob.getPaymentState = async (_, includedAs) => {
    lookedUp.push(includedAs);
    return { kind: "unknown" };
  };
  await w.pay("MOB");
  expect(lookedUp).toEqual([undefined]);
});
