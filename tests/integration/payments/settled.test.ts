import { afterEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { PreparedPayment } from "~/exchange.server/chains/gateway";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { getOffReason } from "~/exchange.server/switches/switches";
import { forEachTest } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

const w = forEachTest(createPaymentsHarness);
afterEach(async () => {
  expect(await w.checkBooks()).toEqual([]);
});

const confirmedOf = async (order: OrderRow) => {
  const [row] = await w.queryRows(order);
  if (row?.status !== "confirmed" || !row.hash) throw new Error("the payment is not confirmed");
  return { ...row, hash: row.hash };
};
/** An order whose payout has its last required confirmation, the third. */
const complete = async () => {
  const order = await w.planPayout("USDT");
  await w.pay("USDT");
  w.usdt.mine(2);
  await w.pay("USDT");
  return { order, hash: (await confirmedOf(order)).hash };
};

describe("a confirmed payment (T50)", () => {
  it("is settled with its fifth confirmation", async () => {
    const { order } = await complete();
    w.usdt.mine();
    await w.pay("USDT");
    expect((await confirmedOf(order)).settledAt).toBeNull();
    w.usdt.mine();
    await w.pay("USDT");
    expect((await confirmedOf(order)).settledAt).not.toBeNull();
  });

  it.each([
    { asset: "MOB", hasRaw: false, why: "a proposal is large and never sent again" },
    { asset: "USDT", hasRaw: true, why: "they are small" },
  ] as const)("keeps its bytes once it is settled in $asset: $hasRaw, because $why", async ({ asset, hasRaw }) => {
    const order = await w.planPayout(asset);
    await w.pay(asset);
    w[asset === "MOB" ? "mob" : "usdt"].mine(5);
    await w.pay(asset);
    const { hash, prepared, settledAt } = await confirmedOf(order);
    expect(settledAt).not.toBeNull();
    expect(prepared).toMatchObject({ hash, to: order.deliveryAddress });
    expect(Object.hasOwn(prepared as PreparedPayment, "raw")).toBe(hasRaw);
  });

  /** A confirmed payment that a reorg has replaced by its first version, before its fee was raised. */
  async function completeWithFirstVersion() {
    const order = await w.planPayout("USDT");
    w.usdt.faults.broadcast = "drop";
    await w.pay("USDT");
    const { bumpPayment } = w.usdt;
    w.usdt.bumpPayment = async (payment) => {
      w.usdt.bumpPayment = bumpPayment;
      return bumpPayment(payment, { refused: true });
    };
    await w.pay("USDT");
    w.usdt.faults.broadcast = "ok";
    await w.pay("USDT");
    w.usdt.mine(2);
    await w.pay("USDT");
    const { hash, superseded } = await confirmedOf(order);
    const [first] = superseded;
    if (!first) throw new Error("the fee was not raised");
    w.usdt.loseFromChain(hash);
    await w.usdt.broadcast(first);
    await w.pay("USDT");
    return { order, hash: first.hash };
  }

  it("has the hash of the version that is in a block, even if a reorg has replaced it", async () => {
    const { order, hash } = await completeWithFirstVersion();
    expect(await confirmedOf(order)).toMatchObject({ hash, missingSince: null, settledAt: null });
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  });

  it("is only looked up in the version that is in a block, while that version stays there", async () => {
    const { order, hash } = await completeWithFirstVersion();
    const { prepared } = await confirmedOf(order);
    const current = (prepared as PreparedPayment).hash;
    const lookedUp: string[] = [];
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async (payment) => {
      lookedUp.push(payment.hash);
      return getPaymentState(payment);
    };
    w.usdt.mine();
    await w.pay("USDT");
    expect(lookedUp).toEqual([hash]);
    w.usdt.loseFromChain(hash);
    await w.usdt.broadcast(prepared as PreparedPayment);
    await w.pay("USDT");
    expect(await confirmedOf(order)).toMatchObject({ hash: current, missingSince: null });
    lookedUp.length = 0;
    w.usdt.mine();
    await w.pay("USDT");
    expect(lookedUp).toEqual([current]);
  });

  it("is looked up once for each new block, unless it is missing, and after the next payment is prepared", async () => {
    const { order, hash } = await complete();
    const steps: string[] = [];
    const { getPaymentState, preparePayment } = w.usdt;
    w.usdt.getPaymentState = async (payment) => {
      steps.push(payment.hash === hash ? "lookup" : "another");
      return getPaymentState(payment);
    };
    w.usdt.preparePayment = async (request) => {
      steps.push("prepare");
      return preparePayment(request);
    };
    const stepsOfRuns = async (runs: number) => {
      steps.length = 0;
      for (let run = 0; run < runs; run += 1) await w.pay("USDT");
      return [...steps];
    };
    expect(await stepsOfRuns(3)).toEqual([]);
    const { readHead } = w.usdt;
    w.usdt.readHead = () => Promise.reject(new Error("No node responds."));
    expect(await stepsOfRuns(2)).toEqual(["lookup", "lookup"]);
    w.usdt.readHead = readHead;
    await w.planPayout("USDT");
    // It is in a new block.
    expect(await stepsOfRuns(1)).toEqual(["prepare", "lookup"]);
    expect(await stepsOfRuns(3)).toEqual(["another", "another", "another"]);
    w.usdt.loseFromChain(hash);
    w.usdt.faults.broadcast = "drop";
    for (let run = 0; run < 3; run += 1) expect(await stepsOfRuns(1)).toContain("lookup");
    expect((await confirmedOf(order)).missingSince).not.toBeNull();
    w.usdt.faults.broadcast = "ok";
    await w.pay("USDT");
    expect((await confirmedOf(order)).missingSince).not.toBeNull();
    await w.pay("USDT");
    expect((await confirmedOf(order)).missingSince).toBeNull();
  });

  it("T48 is known in a version that a reorg has put in place of the final one", async () => {
    await checkHistory(w.ctx, "USDT", { isThorough: true });
    const { order, hash } = await completeWithFirstVersion();
    const { prepared } = await confirmedOf(order);
    w.usdt.loseFromChain(hash);
    await w.usdt.broadcast(prepared as PreparedPayment);
    await checkHistory(w.ctx, "USDT", { isThorough: false });
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  });

  it("is cancelled if its first version was in a block, has left it, and the network refuses the newest", async () => {
    const { order, hash } = await completeWithFirstVersion();
    w.usdt.loseFromChain(hash);
    w.usdt.faults.refused.add(order.deliveryAddress);
    w.usdt.faults.unsendable.add(w.usdt.signer);
    await w.payEvery(15_000, "USDT", 5);
    expect((await confirmedOf(order)).cancellation).not.toBeNull();
  });

  it("alerts an operator and stops new swaps once, if a reorg has removed it", async () => {
    const { order, hash } = await complete();
    w.usdt.loseFromChain(hash);
    w.usdt.faults.broadcast = "drop";
    await w.payEvery(15_000, "USDT", 4);
    const { id } = await confirmedOf(order);
    const reason = `A reorg removed the confirmed payment ${id} (${hash}).`;
    expect(await w.alertsOf(order)).toMatchObject([
      { reason: expect.stringContaining(`${reason} It is being sent again.`) },
    ]);
    expect(await getOffReason(w.ctx.db, "swaps")).toBe(
      `${reason} Once it is paid or refunded, run "operate on swaps".`,
    );
    expect(w.errors.filter(({ msg }) => msg === "new swaps are stopped")).toHaveLength(1);
  });

  it("is logged once when it is missing, and once when it cannot be sent again, however often that is tried", async () => {
    const { order, hash } = await complete();
    w.usdt.loseFromChain(hash);
    w.usdt.faults.unsendable.add(order.deliveryAddress);
    const { readWallet } = w.usdt;
    w.usdt.readWallet = async () => ({ ...(await readWallet()), paymentBlockReason: "The token is paused." });
    await w.payEvery(60_000, "USDT", 10);
    expect(w.errors.filter(({ msg }) => msg === "an alert was raised for the operator")).toHaveLength(2);
    expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("all others wait") }]);
  });

  it("says why it is not sent again if the network has refused it since", async () => {
    const { order, hash } = await complete();
    w.usdt.loseFromChain(hash);
    w.usdt.faults.refused.add(order.deliveryAddress);
    w.usdt.faults.unsendable.add(w.usdt.signer);
    await w.payEvery(15_000, "USDT", 5);
    expect((await confirmedOf(order)).cancellation).not.toBeNull();
    expect(await w.alertsOf(order)).toMatchObject([
      {
        reason: expect.stringMatching(
          /Since then the network refuses it \(transaction refused\)\. It is being cancelled, and will be due again once/,
        ),
      },
    ]);
  });

  it("T59 is owed again only once if two workers find that the chain cannot contain it", async () => {
    const { order, hash } = await complete();
    w.usdt.loseFromChain(hash);
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async () => {
      w.usdt.getPaymentState = async () => ({ kind: "impossible" });
      await w.pay("USDT");
      w.usdt.getPaymentState = getPaymentState;
      return { kind: "impossible" };
    };
    await w.pay("USDT");
    expect(await w.queryRows(order)).toMatchObject([
      { status: "failed" },
      { status: "planned", parkedAt: expect.any(Date), lastError: expect.stringContaining("permanently removed it") },
    ]);
    expect(await w.eventsOf(order, "payment_failed")).toHaveLength(1);
    expect(w.errors.filter(({ payment }) => payment !== undefined)).toEqual([]);
  });

  it("does not keep others from being followed if it cannot be looked up, which is logged", async () => {
    const orders = [await w.planPayout("USDT"), await w.planPayout("USDT")] as const;
    await w.pay("USDT");
    w.usdt.mine(2);
    await w.pay("USDT");
    const first = await confirmedOf(orders[0]);
    expect(first.settledAt).toBeNull();
    w.usdt.mine(5);
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async (payment) => {
      if (payment.hash === first.hash) throw new Error("No node responds.");
      return getPaymentState(payment);
    };
    await w.pay("USDT");
    expect((await confirmedOf(orders[1])).settledAt).not.toBeNull();
    expect(w.errors).toMatchObject([{ payment: first.id, msg: "a payment could not be followed" }]);
  });
});
