import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PreparedPayment } from "~/exchange.server/chains/gateway";
import { getChainState } from "~/exchange.server/db/chain-state";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { forEachTest } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

const minute = 60_000;
const w = forEachTest(createPaymentsHarness);
afterEach(async () => {
  expect(await w.checkBooks()).toEqual([]);
});

const firstOf = async (order: OrderRow) => {
  const [row] = await w.queryRows(order);
  if (!row?.hash) throw new Error("the order has no signed payment");
  return { ...row, hash: row.hash };
};
/** Why new swaps stop, because payments of USDT cannot be made. */
const readBlock = async () => {
  await checkWallet(w.ctx, "USDT");
  return (await getChainState(w.ctx.db, "USDT"))?.paymentBlockReason;
};
const stateOf = async (prepared: unknown) => (await w.usdt.getPaymentState(prepared as PreparedPayment)).kind;

describe("the cancellation of a payment that the network refuses (T60)", () => {
  let order: OrderRow;
  beforeEach(async () => {
    order = await w.planPayout("USDT");
    w.usdt.faults.refused.add(order.deliveryAddress);
    await w.payEvery(0, "USDT", 2);
    expect(await firstOf(order)).toMatchObject({ refusals: 2, cancellation: null });
  });

  it("gets a higher fee, stored before it is sent, until the network accepts it", async () => {
    // It starts at 2.
    w.usdt.faults.minFee = 4;
    for (const fee of [3, 4]) {
      await w.pay("USDT");
      const { cancellation, cancellationSentAt } = await firstOf(order);
      expect({ raw: cancellation?.raw, cancellationSentAt }).toEqual({ raw: { fee }, cancellationSentAt: null });
    }
    await w.pay("USDT");
    const { cancellation, cancellationSentAt } = await firstOf(order);
    expect(cancellationSentAt).not.toBeNull();
    expect(await stateOf(cancellation)).toBe("in_block");
  });

  it.each([
    ["no node responds", () => w.usdt.faults.unsendable.add(w.usdt.signer)],
    ["the network refuses it for another reason", () => w.usdt.faults.refused.add(w.usdt.signer)],
  ])("keeps its fee while %s, and the error is logged", async (_, fail) => {
    fail();
    await w.payEvery(0, "USDT", 3);
    const { id, hash, cancellation, cancellationSentAt } = await firstOf(order);
    expect(cancellation).toMatchObject({ hash: `cancel-${hash}`, raw: { fee: 2 } });
    expect(cancellationSentAt).toBeNull();
    expect(w.errors).toContainEqual(expect.objectContaining({ payment: id, msg: "a cancellation could not be sent" }));
  });

  it.each([
    ["no node responds", () => w.usdt.faults.unsendable.add(w.usdt.signer), "HTTP 403"],
    ["the network refuses it too", () => w.usdt.faults.refused.add(w.usdt.signer), "transaction refused"],
    [
      "its fee is too low and cannot be raised",
      () => {
        w.usdt.faults.minFee = 9;
        w.usdt.bumpPayment = async () => null;
      },
      "transaction underpriced",
    ],
  ])("raises an alert that all payments wait, and stops new swaps, while %s", async (_, fail, cause) => {
    fail();
    const next = await w.planPayout("USDT");
    await w.pay("USDT");
    const parked = { reason: expect.stringContaining("refuses it"), action: expect.stringContaining("Wait until") };
    expect(await w.alertsOf(order)).toMatchObject([parked]);
    expect(await readBlock()).toBeNull();
    w.wait(minute);
    await w.pay("USDT");
    expect(await readBlock()).toMatch(/neither a payment nor its cancellation/);
    expect(await w.queryRows(next)).toMatchObject([{ status: "planned" }]);
    expect(await w.alertsOf(order)).toMatchObject([
      {
        reason: expect.stringContaining(
          `Its cancellation cannot be sent either (${cause}). We keep trying, and all others wait.`,
        ),
        action: expect.stringMatching(/^Check the nodes in ETH_RPC_URLS\./),
      },
    ]);
    w.usdt.faults.unsendable.clear();
    w.usdt.faults.refused.delete(w.usdt.signer);
    w.usdt.faults.minFee = 0;
    await w.pay("USDT");
    expect(await w.alertsOf(order)).toMatchObject([parked]);
    expect(await readBlock()).toBeNull();
    await w.settle();
    expect(w.paidTo(next.deliveryAddress)).toHaveLength(1);
  });

  it("raises no alert if another process has sent it in the meantime", async () => {
    w.usdt.faults.refused.add(w.usdt.signer);
    await w.pay("USDT");
    w.wait(minute);
    const { broadcast } = w.usdt;
    w.usdt.broadcast = async (payment) => {
      w.usdt.broadcast = broadcast;
      w.usdt.faults.refused.delete(w.usdt.signer);
      await w.pay("USDT");
      w.usdt.faults.refused.add(w.usdt.signer);
      await broadcast(payment);
    };
    await w.pay("USDT");
    expect((await firstOf(order)).cancellationSentAt).not.toBeNull();
    expect(await w.alertsOf(order)).toMatchObject([{ action: expect.stringContaining("Wait until") }]);
  });

  it("is impossible with another payout key, and the alert says how to use up the nonce with the old one", async () => {
    w.usdt.prepareCancellation = async () => null;
    const { nonce } = await firstOf(order);
    await w.ctx.db.update(payments).set({ signer: "the old key" }).where(eq(payments.orderId, order.id));
    await w.pay("USDT");
    expect(await firstOf(order)).toMatchObject({ parkedAt: expect.any(Date), cancellation: null });
    const [alert] = await w.alertsOf(order);
    expect(alert?.action).toContain(
      `With that key, send 0 ether from this address to itself, with nonce ${nonce}. Once the chain can no longer`,
    );
  });

  it("is kept when the network requires a higher fee than we may pay", async () => {
    w.usdt.faults.minFee = 9;
    w.usdt.bumpPayment = async () => null;
    await w.payEvery(0, "USDT", 2);
    expect((await firstOf(order)).cancellation).toMatchObject({ raw: { fee: 2 } });
  });

  it("gets a higher fee, stored before it is sent, if it was accepted and has waited for a block", async () => {
    w.usdt.faults.broadcast = "drop";
    await w.pay("USDT");
    const first = await firstOf(order);
    expect(first.cancellationSentAt).not.toBeNull();
    w.wait(minute);
    const { bumpPayment } = w.usdt;
    w.usdt.bumpPayment = (payment) => bumpPayment(payment, { refused: true });
    w.usdt.faults.broadcast = "reject";
    await w.pay("USDT");
    const raised = await firstOf(order);
    expect(raised).toMatchObject({ cancellation: { raw: { fee: 3 } }, cancellationSentAt: first.cancellationSentAt });
    w.usdt.bumpPayment = async () => null;
    w.usdt.faults.broadcast = "ok";
    await w.pay("USDT");
    expect(await stateOf(raised.cancellation)).toBe("in_block");
    expect(await firstOf(order)).toMatchObject({ cancellationSentAt: first.cancellationSentAt });
  });
});

describe("nonces that a reorg has freed before a payment's (T60)", () => {
  /** An order whose first payment has nonce 0 and was included without effect, and whose second one is sent. */
  const payAfterRevert = async () => {
    const order = await w.planPayout("USDT");
    w.usdt.faults.state = "reverted";
    await w.payEvery(0, "USDT", 2);
    w.usdt.faults.state = "ok";
    w.usdt.faults.broadcast = "drop";
    w.wait(31_000);
    await w.pay("USDT");
    expect(await w.queryRows(order)).toMatchObject([
      { status: "failed", nonce: 0, lastError: "the chain included it without effect", cancellation: null },
      { status: "sent", nonce: 1 },
    ]);
    return order;
  };

  it("are filled from the first one on, even though their payments have failed", async () => {
    const order = await w.planPayout("USDT");
    w.usdt.faults.refused.add(order.deliveryAddress);
    await w.payEvery(0, "USDT", 4);
    w.usdt.mine(3);
    await w.pay("USDT");
    w.usdt.faults.refused.clear();
    w.wait(31_000);
    await w.pay("USDT");
    const [, sent] = await w.queryRows(order);
    const failed = await firstOf(order);
    expect([failed, sent]).toMatchObject([
      { status: "failed", nonce: 0 },
      { status: "sent", nonce: 1 },
    ]);
    for (const hash of [failed.cancellation?.hash ?? "", sent?.hash ?? ""]) w.usdt.loseFromChain(hash);
    expect(await stateOf(failed.cancellation)).toBe("unknown");
    await w.pay("USDT");
    expect(await stateOf(failed.cancellation)).toBe("in_block");
    await w.settle();
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  /** An order whose payout is refused and cancelled. The cancellation is in a block. */
  const cancelPayout = async () => {
    const order = await w.planPayout("USDT");
    w.usdt.faults.refused.add(order.deliveryAddress);
    await w.payEvery(0, "USDT", 4);
    expect(await stateOf((await firstOf(order)).cancellation)).toBe("in_block");
    return order;
  };
  const readCancellations = async (orders: OrderRow[]) => {
    const rows = await Promise.all(orders.map(firstOf));
    return {
      statuses: rows.map(({ status }) => status),
      hashes: rows.map(({ cancellation }) => cancellation?.hash ?? ""),
    };
  };
  const statesOf = async (orders: OrderRow[]) =>
    Promise.all(orders.map(async (order) => stateOf((await firstOf(order)).cancellation)));

  it("are filled in order, because some nodes refuse a transaction behind a free nonce", async () => {
    const cancelled = [await cancelPayout(), await cancelPayout()];
    w.usdt.mine(3);
    await w.pay("USDT");
    const { statuses, hashes } = await readCancellations(cancelled);
    expect(statuses).toEqual(["failed", "failed"]);
    const next = await w.planPayout("USDT");
    await w.pay("USDT");
    const { hash } = await firstOf(next);
    for (const lost of [...hashes, hash]) w.usdt.loseFromChain(lost);
    w.usdt.faults.refusesGaps = true;
    await w.payEvery(0, "USDT", 2);
    expect(await statesOf(cancelled)).toEqual(["in_block", "in_block"]);
    expect(w.paidTo(next.deliveryAddress)).toHaveLength(1);
  });

  it("are filled even while nodes refuse the cancellation after them, because its nonce is not the next one", async () => {
    const first = await cancelPayout();
    w.usdt.mine(3);
    await w.pay("USDT");
    const cancelled = [first, await cancelPayout()];
    const { statuses, hashes } = await readCancellations(cancelled);
    expect(statuses).toEqual(["failed", "prepared"]);
    for (const lost of hashes) w.usdt.loseFromChain(lost);
    w.usdt.faults.refusesGaps = true;
    await w.payEvery(0, "USDT", 2);
    expect(await statesOf(cancelled)).toEqual(["in_block", "in_block"]);
  });

  it("are filled by new cancellations of payments that were included without effect", async () => {
    const order = await payAfterRevert();
    const { hash } = await firstOf(order);
    w.usdt.loseFromChain(hash);
    w.usdt.getMinedNonce = async () => 0;
    w.usdt.faults.broadcast = "ok";
    await w.pay("USDT");
    const { cancellation } = await firstOf(order);
    expect(cancellation).toMatchObject({ hash: `cancel-${hash}` });
    expect(await stateOf(cancellation)).toBe("in_block");
    await w.settle();
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("are not cancelled while their transactions are in blocks, and a stuck payment after them is reported", async () => {
    const order = await payAfterRevert();
    await w.payEvery(minute, "USDT", 12);
    expect((await firstOf(order)).cancellation).toBeNull();
    expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("is not in a block") }]);
  });

  it("are looked for only as far back as the previous payment, which is followed itself", async () => {
    const order = await payAfterRevert();
    w.usdt.faults.broadcast = "ok";
    await w.tick();
    w.usdt.faults.broadcast = "drop";
    const next = await w.planPayout("USDT");
    await w.pay("USDT");
    expect([...(await w.queryRows(order)), ...(await w.queryRows(next))]).toMatchObject([
      { status: "failed", nonce: 0 },
      { status: "sent", nonce: 1, confirmations: 1 },
      { status: "sent", nonce: 2, confirmations: 0 },
    ]);
    let queries = 0;
    w.usdt.getMinedNonce = async () => {
      queries += 1;
      return 2;
    };
    await w.pay("USDT");
    expect(queries).toBe(0);
  });

  it("are not cancelled if their payments may still be made", async () => {
    const orders = [await w.planPayout("USDT"), await w.planPayout("USDT")];
    await w.pay("USDT");
    w.usdt.mine(2);
    await w.pay("USDT");
    for (const { hash } of [...w.usdt.paid]) w.usdt.loseFromChain(hash);
    w.usdt.getMinedNonce = async () => 0;
    w.usdt.faults.broadcast = "drop";
    await w.payEvery(0, "USDT", 2);
    for (const order of orders) {
      expect(await w.queryRows(order)).toMatchObject([
        { status: "confirmed", missingSince: expect.any(Date), cancellation: null },
      ]);
    }
    w.usdt.faults.broadcast = "ok";
    await w.settle();
    for (const { deliveryAddress } of orders) expect(w.paidTo(deliveryAddress)).toHaveLength(1);
  });

  it("are filled even if the cancellation of a payment in between cannot be sent", async () => {
    const failing = await w.planPayout("USDT");
    w.usdt.faults.refused.add(failing.deliveryAddress);
    await w.payEvery(0, "USDT", 4);
    w.usdt.mine(3);
    await w.pay("USDT");
    w.usdt.faults.broadcast = "drop";
    const parked = await w.planPayout("USDT");
    w.usdt.faults.refused.add(parked.deliveryAddress);
    await w.payEvery(0, "USDT", 3);
    const last = await w.planPayout("USDT");
    await w.pay("USDT");
    const failed = await firstOf(failing);
    const blocked = await firstOf(parked);
    expect([failed, blocked, await firstOf(last)]).toMatchObject([
      { status: "failed", nonce: 0 },
      { status: "prepared", nonce: 1, cancellationSentAt: expect.any(Date) },
      { status: "sent", nonce: 2 },
    ]);
    w.usdt.loseFromChain(failed.cancellation?.hash ?? "");
    w.usdt.faults.broadcast = "ok";
    const { broadcast } = w.usdt;
    w.usdt.broadcast = async (payment) => {
      if (payment.hash === blocked.cancellation?.hash) throw new Error("the node does not respond");
      await broadcast(payment);
    };
    await w.pay("USDT");
    expect(await stateOf(failed.cancellation)).toBe("in_block");
  });

  it("do not hide that a payment is stuck if another exchange used the key before", async () => {
    Object.assign(w.usdt, { getNextNonce: async () => 7, getMinedNonce: async () => 7 });
    const order = await w.planPayout("USDT");
    w.usdt.faults.broadcast = "drop";
    await w.payEvery(minute, "USDT", 13);
    expect(await w.queryRows(order)).toMatchObject([{ status: "sent", nonce: 7 }]);
    expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("is not in a block") }]);
  });
});
