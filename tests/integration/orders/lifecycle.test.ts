import { beforeEach, describe, expect, it } from "vitest";
import type { Mail } from "~/exchange.server/context";
import { takeDueSteps } from "~/exchange.server/jobs/due-steps";
import { external, getBalance, post, reservedFor, treasury } from "~/exchange.server/ledger/ledger";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { getFundingAddress } from "~/exchange.server/orders/views/funding-address";
import { toOrderNumber } from "~/lib/order-number";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { testDatabases } from "../../support/test-database";

const minute = 60_000;

describe.each(testDatabases)("an order's lifecycle on %s", (kind) => {
  const w = forAllTests(() => openOrders(kind));
  let user: User;

  beforeEach(async () => {
    user = await w.createUser();
    w.usdt.faults.broadcast = "ok";
    w.usdt.faults.state = "ok";
    w.mob.faults.broadcast = "ok";
    w.mob.faults.state = "ok";
    w.mob.faults.prepare = null;
    w.usdt.faults.scan = null;
    await w.setRate(350_000_000_000n);
    await w.tick();
  });

  it("swaps USDT to MOB: counts confirmations, pays exactly the quoted amount once and completes", async () => {
    const order = await w.lock(user, "USDT", "250");
    w.usdt.deposit(order.fundingAddress, 250_000_000n);
    await w.tick();
    const seen = await w.see(user, order.id);
    expect(seen.status).toBe("confirming");
    expect(seen.incoming_txs).toMatchObject([
      { status: "pending", confirmations: 1, required_confirmations: 3, amount: "250" },
    ]);
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done.status).toBe("completed");
    expect(done.outgoing_txs).toMatchObject([{ purpose: "payout", status: "confirmed", amount: done.target_amount }]);
    expect(w.mob.paid.filter((p) => p.to === order.deliveryAddress)).toEqual([
      { to: order.deliveryAddress, amount: order.targetAmount, hash: expect.any(String) },
    ]);
  });

  it("swaps MOB to USDT", async () => {
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100_000_000_000_000n);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(w.usdt.paid.filter((p) => p.to === order.deliveryAddress)).toHaveLength(1);
  });

  it("does not show a funding address for a closed order; refunds a deposit that arrives anyway, or asks for a decision", async () => {
    const refusal = (reason: string) => ({
      code: "order_closed",
      status: 409,
      message: expect.stringMatching(`${reason}. Don't send anything`),
    });
    const whereToPay = (order: { quoteId: number }) => getFundingAddress(w.ctx, user.accountId, order.quoteId);

    const cancelled = await w.lock(user, "USDT", "100");
    expect(await whereToPay(cancelled)).toMatchObject({ address: cancelled.fundingAddress, amount: "100" });
    await w.cancel(cancelled.id);
    await expect(whereToPay(cancelled)).rejects.toMatchObject(refusal("was cancelled"));
    w.usdt.deposit(cancelled.fundingAddress, 100_000_000n);
    await w.settle();
    expect((await w.see(user, cancelled.id)).outgoing_txs).toMatchObject([{ purpose: "refund", amount: "100" }]);

    const done = await w.lock(user, "USDT", "100");
    w.usdt.deposit(done.fundingAddress, 100_000_000n);
    await w.settle();
    await expect(whereToPay(done)).rejects.toMatchObject(refusal("is complete"));

    const expired = await w.lock(user, "USDT", "100");
    w.wait(33 * minute);
    await w.settle();
    expect((await w.see(user, expired.id)).status).toBe("expired");
    await expect(whereToPay(expired)).rejects.toMatchObject(refusal("has ended"));
    w.usdt.deposit(expired.fundingAddress, 100_000_000n);
    await w.settle();
    expect((await w.see(user, expired.id)).decision).toMatchObject({ reason: "late" });
  });

  it("e-mails the owner about every refund: the deposits of an order together, and late ones", async () => {
    const mails: Mail[] = [];
    w.ctx.mail = { send: async (mail) => void mails.push(mail) };
    while ((await sendOutbox(w.ctx)) > 0) mails.length = 0;

    const order = await w.lock(user, "USDT", "100");
    const deposit = async (amount: bigint) => {
      w.usdt.deposit(order.fundingAddress, amount);
      await w.tick();
      await w.sendMail();
      await w.settle();
      await w.sendMail();
    };
    await deposit(50_000_000n);
    await deposit(20_000_000n);
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    await deposit(30_000_000n);
    const mine = mails.filter(({ to }) => to.startsWith(user.accountId.toLowerCase()));
    expect(mine.map(({ subject }) => subject)).toEqual([
      "We've seen your payment: 50.00 USDT",
      `Your swap needs a decision: ${toOrderNumber(order.quoteId)}`,
      `Your swap needs a decision: ${toOrderNumber(order.quoteId)}`,
      "Your swap was refunded: 70.00 USDT",
      "We returned 30.00 USDT to you",
    ]);
    expect(mine[3]?.text.match(/^Transaction: .+$/gm)).toHaveLength(1);
  });

  it("credits a deposit once even though every scan sees it", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    for (let i = 0; i < 8; i += 1) {
      w.usdt.mine();
      await w.tick();
    }
    await w.settle();
    expect((await w.see(user, order.id)).incoming_txs).toHaveLength(1);
    expect(w.mob.paid.filter((p) => p.to === order.deliveryAddress)).toHaveLength(1);
  });

  it("counts two transfers in one transaction as two deposits", async () => {
    const order = await w.lock(user, "USDT", "100");
    const txHash = w.usdt.deposit(order.fundingAddress, 60_000_000n);
    w.usdt.deposit(order.fundingAddress, 40_000_000n, { txHash, ordinal: 1 });
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done.status).toBe("completed");
    expect(done.incoming_txs.map((tx) => tx.amount).sort()).toEqual(["40", "60"]);
  });

  it("waits again after a reorg removes the deposit, and counts it when it returns", async () => {
    const order = await w.lock(user, "USDT", "100");
    const txHash = w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    w.usdt.reorgAway(txHash);
    await w.tick();
    const back = await w.see(user, order.id);
    expect(back.status).toBe("awaiting_deposit");
    expect(back.incoming_txs).toMatchObject([{ status: "failed" }]);
    w.usdt.deposit(order.fundingAddress, 100_000_000n, { txHash });
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done.status).toBe("completed");
    expect(done.incoming_txs).toHaveLength(1);
  });

  it("T50 keeps a deposit pending if the node fails to report on it, without delaying others", async () => {
    const order = await w.lock(user, "USDT", "100");
    const other = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    const reorged = w.usdt.deposit(other.fundingAddress, 100_000_000n);
    await w.tick();
    w.usdt.reorgAway(reorged);
    const { scan, recheck } = w.usdt;
    // As if both had been read long ago and were waiting for a finalized block.
    w.usdt.scan = async (cursor, matchAddresses) => ({ ...(await scan(cursor, matchAddresses)), transfers: [] });
    w.usdt.recheck = async (transfers) => {
      const found = await recheck(transfers);
      return transfers.map(({ txHash }, i) => (txHash === reorged ? (found[i] ?? null) : new Error("no receipt")));
    };
    await w.tick();
    expect(await w.see(user, order.id)).toMatchObject({ status: "confirming", incoming_txs: [{ status: "pending" }] });
    expect((await w.see(user, other.id)).status).toBe("awaiting_deposit");
    Object.assign(w.usdt, { scan, recheck });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it("stays expired without a decision if a reorg removes a late deposit before it is confirmed", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.wait(40 * minute);
    await w.tick();
    const txHash = w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    w.usdt.reorgAway(txHash);
    await w.tick();
    expect(await w.see(user, order.id)).toMatchObject({ status: "expired", decision: null });
  });

  it("asks for a decision if paid on time with its reserve gone and the treasury empty, without delaying other deposits", async () => {
    const order = await w.lock(user, "USDT", "100");
    const inTime = new Date(order.expiresAt.getTime());
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    w.wait(40 * minute);
    await w.tick();
    const other = await w.lock(user, "USDT", "100");
    const drain = (await getBalance(w.ctx.db, "MOB", treasury)) - 10n ** 12n;
    const move = (from: string, to: string) =>
      w.ctx.db.transaction((tx) =>
        post(tx, {
          transfers: [{ asset: "MOB", from, to, amount: drain, kind: "float" }],
          orderId: null,
          at: new Date(),
        }),
      );
    await move(treasury, external);
    w.usdt.deposit(order.fundingAddress, 40_000_000n, { at: inTime });
    w.usdt.deposit(other.fundingAddress, 100_000_000n);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { reason: "payout_failed", choices: ["refund"] },
    });
    expect((await w.see(user, other.id)).status).toBe("completed");
    await move(external, treasury);
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "refunded",
      outgoing_txs: [{ amount: "100", status: "confirmed" }],
    });
  });

  it("T61 expires an unpaid order, and releases its reserve, only after the chain was read past its deadline", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.faults.scan = () => {
      throw new Error("the node is away");
    };
    w.wait(40 * minute);
    await expect(w.scan("USDT")).rejects.toThrow("the node is away");
    await takeDueSteps(w.ctx);
    expect((await w.see(user, order.id)).status).toBe("awaiting_deposit");
    w.usdt.faults.scan = null;
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("expired");
  });

  it("fills an order at its locked rate if it was paid on time while the service was down", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    w.wait(40 * minute);
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done.status).toBe("completed");
    expect(done.target_amount).toBe((await w.see(user, order.id)).outgoing_txs[0]?.amount);
  });

  it("T44 keeps the rate of MOB that is found after an outage, but not if it may have been sent long after the lock", async () => {
    const payAfter = async (minutes: number) => {
      const order = await w.lock(user, "MOB", "100");
      await w.scan("MOB");
      w.wait(minutes * minute);
      w.mob.deposit(order.fundingAddress, order.sourceAmount);
      await w.settle();
      return w.see(user, order.id);
    };
    // The time to pay with its grace, and as long as the time to pay: 32 and 30 minutes.
    expect(await payAfter(61)).toMatchObject({ status: "completed" });
    expect(await payAfter(63)).toMatchObject({ status: "needs_decision", decision: { reason: "late" } });
  });

  it("T44 does the same if the exchange was paused during a scan", async () => {
    const payWhilePaused = async (minutes: number) => {
      const order = await w.lock(user, "MOB", "100");
      await w.scan("MOB");
      const { scan } = w.mob;
      w.mob.scan = async (...from) => {
        w.mob.scan = scan;
        w.wait(minutes * minute);
        w.mob.deposit(order.fundingAddress, order.sourceAmount);
        return scan(...from);
      };
      await w.settle();
      return w.see(user, order.id);
    };
    expect(await payWhilePaused(61)).toMatchObject({ status: "completed" });
    expect(await payWhilePaused(63)).toMatchObject({ status: "needs_decision", decision: { reason: "late" } });
  });

  it("accepts a payment at the very end of the grace period, but not a millisecond later", async () => {
    const first = await w.lock(user, "USDT", "100");
    const second = await w.lock(user, "USDT", "100");
    const end = first.expiresAt.getTime() + 2 * minute;
    w.usdt.deposit(first.fundingAddress, 100_000_000n, { at: new Date(end) });
    w.usdt.deposit(second.fundingAddress, 100_000_000n, { at: new Date(second.expiresAt.getTime() + 2 * minute + 1) });
    w.wait(33 * minute);
    await w.settle();
    expect((await w.see(user, first.id)).status).toBe("completed");
    expect(await w.see(user, second.id)).toMatchObject({ status: "needs_decision", decision: { reason: "late" } });
  });

  it("has the block times of deposits, except on MobileCoin, and the number of those that have not failed", async () => {
    const [usdt, mob] = [await w.lock(user, "USDT", "100"), await w.lock(user, "MOB", "100")];
    const at = new Date((await w.ctx.clock.now(w.ctx.db)).getTime() + minute);
    w.usdt.deposit(usdt.fundingAddress, 10_000_000n, { at });
    const gone = w.usdt.deposit(usdt.fundingAddress, 5_000_000n, { at });
    w.mob.deposit(mob.fundingAddress, 10n ** 12n);
    await w.tick();
    w.usdt.reorgAway(gone);
    await w.tick();
    const seen = await w.see(user, usdt.id);
    expect(seen).toMatchObject({ incoming_count: 2, received_count: 1, received_amount: "10" });
    expect(seen.incoming_txs.map(({ block_time }) => block_time)).toEqual([at.toISOString(), at.toISOString()]);
    const [seenMob] = (await w.see(user, mob.id)).incoming_txs;
    expect([seenMob?.amount, seenMob?.block_time]).toEqual(["1", undefined]);
  });

  it("offers a new rate for a late deposit, and pays at that rate if the offer is accepted", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.wait(40 * minute);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("expired");
    await w.setRate(500_000_000_000n);
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    const asked = await w.see(user, order.id);
    expect(asked).toMatchObject({
      status: "needs_decision",
      decision: { reason: "late", choices: ["requote", "refund"] },
    });
    const offer = await w.offer(order.id);
    await w.decide(user, order.id, { choice: "requote", quote_id: offer?.id ?? 0 });
    await w.decide(user, order.id, { choice: "requote", quote_id: offer?.id ?? 0 });
    await expect(w.decide(user, order.id, { choice: "refund" })).rejects.toMatchObject({ code: "already_decided" });
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done).toMatchObject({ status: "completed", exchange_rate: "2", target_amount: "199" });
  });

  it("refuses an expired offer and returns a new one", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.wait(40 * minute);
    await w.tick();
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    const old = await w.offer(order.id);
    w.wait(2 * minute);
    await w.setRate(400_000_000_000n);
    const refused = await w
      .decide(user, order.id, { choice: "requote", quote_id: old?.id ?? 0 })
      .catch((e: unknown) => e);
    expect(refused).toMatchObject({
      code: "offer_expired",
      extra: { offer: { status: "open", source_amount: "100" } },
    });
    const fresh = await w.offer(order.id);
    expect(fresh?.id).not.toBe(old?.id);
    expect(fresh?.rate).toBe(2_500_000_000_000n);
  });

  it("keeps its reserve for a decision only while its locked rate holds", async () => {
    const reserved = ({ id }: { id: string }) => getBalance(w.ctx.db, "MOB", reservedFor(id));
    const [underpaid, tiny, late] = [
      await w.lock(user, "USDT", "100"),
      await w.lock(user, "USDT", "100"),
      await w.lock(user, "USDT", "100"),
    ];
    w.usdt.deposit(underpaid.fundingAddress, 60_000_000n);
    w.usdt.deposit(tiny.fundingAddress, 1_000_000n);
    await w.settle();
    w.usdt.deposit(late.fundingAddress, 60_000_000n);
    await w.scan("USDT");
    expect((await w.see(user, late.id)).status).toBe("confirming");
    expect(await reserved(late)).toBeGreaterThan(0n);
    const reasonOf = async ({ id }: { id: string }) => (await w.see(user, id)).decision?.reason;
    expect([await reasonOf(underpaid), await reasonOf(tiny)]).toEqual(["underpaid", "below_minimum"]);
    for (const order of [underpaid, tiny]) expect(await reserved(order)).toBeGreaterThan(0n);
    w.wait(40 * minute);
    w.usdt.deposit(late.fundingAddress, 40_000_000n);
    w.usdt.mine(3);
    await w.scan("USDT");
    expect([await reasonOf(late), await reserved(late)]).toEqual(["late", 0n]);
  });

  it("treats only the same decision about the same offer as a repetition", async () => {
    const [order, other] = [await w.lock(user, "USDT", "100"), await w.lock(user, "USDT", "100")];
    w.wait(40 * minute);
    await w.tick();
    for (const { fundingAddress } of [order, other]) w.usdt.deposit(fundingAddress, 100_000_000n);
    await w.settle();
    const offer = await w.offer(order.id);
    const foreign = await w.offer(other.id);
    const requote = (quote: typeof offer) =>
      w.decide(user, order.id, { choice: "requote", quote_id: quote?.id ?? 0 }).then(
        ({ status }) => status,
        ({ code }: { code: string }) => code,
      );
    expect(await requote(foreign)).toBe("offer_expired");
    expect(await requote(offer)).toBe("paying_out");
    expect(await requote(offer)).toBe("paying_out");
    expect(await requote(foreign)).toBe("already_decided");
  });

  it("makes a new offer when more has arrived than the offer was for", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.wait(40 * minute);
    await w.tick();
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    const offer = await w.offer(order.id);
    w.usdt.deposit(order.fundingAddress, 50_000_000n);
    await w.settle();
    const refused: unknown = await w
      .decide(user, order.id, { choice: "requote", quote_id: offer?.id ?? 0 })
      .catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: "offer_expired", extra: { offer: { source_amount: "150" } } });
  });

  it("fills an underpaid order before its deadline at the locked rate, with the fee recalculated", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await w.setRate(900_000_000_000n);
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { reason: "underpaid", choices: ["accept", "refund"], amount: "60", offer: null },
    });
    await w.decide(user, order.id, { choice: "accept" });
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "completed",
      source_amount: "60",
      fee_amount: "0.3",
      exchange_rate: "2.857142857142",
    });
  });

  it("offers a new quote or a refund for an underpaid order past its deadline", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    w.wait(40 * minute);
    await w.tick();
    expect((await w.see(user, order.id)).decision?.choices).toEqual(["requote", "refund"]);
    await expect(w.decide(user, order.id, { choice: "accept" })).rejects.toMatchObject({ code: "conflict" });
  });

  it("refunds an underpaid order in full to the refund address", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "refunded",
      outgoing_txs: [{ purpose: "refund", amount: "60", status: "confirmed" }],
    });
    expect(w.usdt.paid.filter((p) => p.to === order.refundAddress)).toHaveLength(1);
  });

  it("fills an order in full if it is topped up before its deadline", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
    w.usdt.deposit(order.fundingAddress, 40_000_000n);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("confirming");
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({ status: "completed", source_amount: "100" });
  });

  it("offers only a refund below the minimum", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 5_000_000n);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { reason: "below_minimum", choices: ["refund"] },
    });
  });

  it("refunds an order without a decision after 72 hours", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    w.wait(71 * 60 * minute);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
    w.wait(2 * 60 * minute);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("refunded");
  });

  it("fills an overpayment within 2% pro rata; beyond that, fills the quoted amount and refunds the surplus", async () => {
    // Unpaid, the large order alone reserves as much as one account may.
    const payer = await w.createUser();
    const little = await w.lock(payer, "USDT", "10000");
    w.usdt.deposit(little.fundingAddress, 10_200_000_000n);
    const much = await w.lock(user, "USDT", "100");
    w.usdt.deposit(much.fundingAddress, 102_000_001n);
    await w.settle();
    expect(await w.see(payer, little.id)).toMatchObject({
      status: "completed",
      source_amount: "10200",
      fee_amount: "51",
    });
    expect(await w.see(user, much.id)).toMatchObject({
      status: "completed",
      source_amount: "100",
      outgoing_txs: [{ purpose: "payout" }, { purpose: "refund", amount: "2.000001", status: "confirmed" }],
    });
  });

  it("refunds a deposit to a completed, cancelled or refunded order without changing its status", async () => {
    const completed = await w.lock(user, "USDT", "100");
    w.usdt.deposit(completed.fundingAddress, 100_000_000n);
    const cancelled = await w.lock(user, "USDT", "100");
    await w.cancel(cancelled.id);
    await w.settle();
    w.usdt.deposit(completed.fundingAddress, 7_000_000n);
    w.usdt.deposit(cancelled.fundingAddress, 100_000_000n);
    await w.settle();
    expect(await w.see(user, completed.id)).toMatchObject({
      status: "completed",
      outgoing_txs: [{ purpose: "payout" }, { purpose: "refund", amount: "7", status: "confirmed" }],
    });
    expect(await w.see(user, cancelled.id)).toMatchObject({
      status: "cancelled",
      outgoing_txs: [{ purpose: "refund", amount: "100", status: "confirmed" }],
    });
  });

  it("can be cancelled only before a deposit is seen", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 1n);
    await w.tick();
    await expect(w.cancel(order.id)).rejects.toMatchObject({ code: "order_funded" });
  });

  it("asks for a decision if a payout is refused before it is sent, and refunds everything", async () => {
    const { PaymentRefusedError } = await import("~/exchange.server/chains/gateway");
    const order = await w.lock(user, "USDT", "100");
    w.mob.faults.prepare = () => {
      throw new PaymentRefusedError("InvalidPublicAddress");
    };
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { reason: "payout_failed", choices: ["refund"] },
    });
    w.mob.faults.prepare = null;
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({ status: "refunded" });
    expect(w.mob.paid.filter((p) => p.to === order.deliveryAddress)).toEqual([]);
  });
});
