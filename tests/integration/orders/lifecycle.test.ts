import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Mail } from "../../../app/exchange.server/context";
import type { OpenDatabase } from "../../../app/exchange.server/db/open";
import { getBalance, house, post, world } from "../../../app/exchange.server/ledger/ledger";
import { sendOutbox } from "../../../app/exchange.server/mail/outbox";
import { getFundingAddress } from "../../../app/exchange.server/orders/funding-address";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { openTestDatabase, testDatabases } from "../../support/test-database";

const minute = 60_000;

describe.each(testDatabases)("the life of an order on %s", (kind) => {
  let database: OpenDatabase;
  let w: OrdersWorld;
  let user: Awaited<ReturnType<OrdersWorld["createUser"]>>;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    w = await createOrdersWorld(database);
  });
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
  afterAll(async () => {
    await database?.close();
  });

  test("USDT in, MOB out: confirming counts up, exactly the quoted amount is paid once, then completed", async () => {
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

  test("MOB in, USDT out", async () => {
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100_000_000_000_000n);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(w.usdt.paid.filter((p) => p.to === order.deliveryAddress)).toHaveLength(1);
  });

  test("nobody is told to pay to an order that is over; what comes to it all the same goes back or is asked about", async () => {
    const words = { code: "order_closed", status: 409, message: expect.stringContaining("Send nothing") };
    const whereToPay = (order: { quoteId: number }) => getFundingAddress(w.x, user.accountId, order.quoteId);

    const cancelled = await w.lock(user, "USDT", "100");
    expect(await whereToPay(cancelled)).toMatchObject({ address: cancelled.fundingAddress, amount: "100" });
    await w.cancel(cancelled.id);
    await expect(whereToPay(cancelled)).rejects.toMatchObject(words);
    w.usdt.deposit(cancelled.fundingAddress, 100_000_000n);
    await w.settle();
    expect((await w.see(user, cancelled.id)).outgoing_txs).toMatchObject([{ purpose: "refund", amount: "100" }]);

    const done = await w.lock(user, "USDT", "100");
    w.usdt.deposit(done.fundingAddress, 100_000_000n);
    await w.settle();
    await expect(whereToPay(done)).rejects.toMatchObject(words);

    const expired = await w.lock(user, "USDT", "100");
    w.wait(33 * minute);
    await w.settle();
    expect((await w.see(user, expired.id)).status).toBe("expired");
    await expect(whereToPay(expired)).rejects.toMatchObject(words);
    w.usdt.deposit(expired.fundingAddress, 100_000_000n);
    await w.settle();
    expect((await w.see(user, expired.id)).decision).toMatchObject({ reason: "late" });
  });

  test("the owner reads of everything that goes back: of all refunds together, and of what came too late", async () => {
    const mails: Mail[] = [];
    w.x.mail = { send: async (mail) => void mails.push(mail) };
    while ((await sendOutbox(w.x)) > 0) mails.length = 0;

    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 50_000_000n);
    await w.settle();
    w.usdt.deposit(order.fundingAddress, 20_000_000n);
    await w.settle();
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    w.usdt.deposit(order.fundingAddress, 30_000_000n);
    await w.settle();
    while ((await sendOutbox(w.x)) > 0);
    const mine = mails.filter(({ to }) => to.startsWith(user.accountId.toLowerCase()));
    expect(mine.map(({ subject }) => subject)).toEqual([
      "Your swap needs a decision",
      "Your swap needs a decision",
      "Your swap was refunded: 70 USDT",
      "Sent back to you: 30 USDT",
    ]);
    expect(mine[2]?.text.match(/^Amount: .*$/gm)?.sort()).toEqual(["Amount: 20 USDT", "Amount: 50 USDT"]);
    expect(mine[2]?.text.match(/^Transaction: .+$/gm)).toHaveLength(2);
  });

  test("a deposit seen in every scan is credited once", async () => {
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

  test("two transfers in one transaction are two deposits", async () => {
    const order = await w.lock(user, "USDT", "100");
    const txHash = w.usdt.deposit(order.fundingAddress, 60_000_000n);
    w.usdt.deposit(order.fundingAddress, 40_000_000n, { txHash, logIndex: 1 });
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done.status).toBe("completed");
    expect(done.incoming_txs.map((tx) => tx.amount).sort()).toEqual(["40", "60"]);
  });

  test("a deposit that is reorged away takes the order back to waiting; when it returns it counts", async () => {
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

  test("T50 a pending deposit that the node cannot tell of stays pending, and keeps no other", async () => {
    const order = await w.lock(user, "USDT", "100");
    const other = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    const reorged = w.usdt.deposit(other.fundingAddress, 100_000_000n);
    await w.tick();
    w.usdt.reorgAway(reorged);
    const { scan, recheck } = w.usdt;
    // As when both were read long ago and wait for a finalized block.
    w.usdt.scan = async (cursor, isOurs) => ({ ...(await scan(cursor, isOurs)), transfers: [] });
    w.usdt.recheck = async (transfer) => {
      if (transfer.txHash !== reorged) throw new Error("the node has no receipt");
      return recheck(transfer);
    };
    await w.tick();
    expect(await w.see(user, order.id)).toMatchObject({ status: "confirming", incoming_txs: [{ status: "pending" }] });
    expect((await w.see(user, other.id)).status).toBe("awaiting_deposit");
    Object.assign(w.usdt, { scan, recheck });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  test("a late deposit that is reorged away before it counted leaves the order expired, and nobody is asked", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.wait(40 * minute);
    await w.tick();
    const txHash = w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    w.usdt.reorgAway(txHash);
    await w.tick();
    expect(await w.see(user, order.id)).toMatchObject({ status: "expired", decision: null });
  });

  test("paid in time when the reserve is gone and the house is empty: asked, and no other deposit waits for it", async () => {
    const order = await w.lock(user, "USDT", "100");
    const inTime = new Date(order.expiresAt.getTime());
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    w.wait(40 * minute);
    await w.tick();
    const other = await w.lock(user, "USDT", "100");
    const drain = (await getBalance(w.x.db, "MOB", house)) - 10n ** 12n;
    const move = (from: string, to: string) =>
      w.x.db.transaction((tx) =>
        post(tx, {
          transfers: [{ asset: "MOB", from, to, amount: drain, kind: "float" }],
          orderId: null,
          at: new Date(),
        }),
      );
    await move(house, world);
    w.usdt.deposit(order.fundingAddress, 40_000_000n, { at: inTime });
    w.usdt.deposit(other.fundingAddress, 100_000_000n);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { reason: "payout_failed", choices: ["refund"] },
    });
    expect((await w.see(user, other.id)).status).toBe("completed");
    await move(world, house);
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "refunded",
      outgoing_txs: [{ status: "confirmed" }, { status: "confirmed" }],
    });
  });

  test("T61 nobody pays: expired only when the chain was read past the deadline, and the reserve is free again", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.faults.scan = () => {
      throw new Error("the node is away");
    };
    w.wait(40 * minute);
    await w.tick().catch(() => undefined);
    expect((await w.see(user, order.id)).status).toBe("awaiting_deposit");
    w.usdt.faults.scan = null;
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("expired");
  });

  test("paid in time while the service was down: filled at the locked rate, never expired", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    w.wait(40 * minute);
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done.status).toBe("completed");
    expect(done.target_amount).toBe((await w.see(user, order.id)).outgoing_txs[0]?.amount);
  });

  test("paid at the last second of the grace counts, a second later does not", async () => {
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

  test("money after expiry asks: late, with an offer at today's rate; taken, it is paid at the new rate", async () => {
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

  test("an offer that has expired is refused with a new one", async () => {
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

  test("underpaid inside the window: what came is taken at the locked rate, fee recomputed", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    await w.setRate(900_000_000_000n);
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { reason: "underpaid", choices: ["accept", "refund"], offer: null },
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

  test("underpaid past the window: the locked rate is gone, a new quote or a refund", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    w.wait(40 * minute);
    await w.tick();
    expect((await w.see(user, order.id)).decision?.choices).toEqual(["requote", "refund"]);
    await expect(w.decide(user, order.id, { choice: "accept" })).rejects.toMatchObject({ code: "conflict" });
  });

  test("underpaid and refunded: all of it goes to the refund address", async () => {
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

  test("topped up in the window: filled whole", async () => {
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

  test("below the minimum: only a refund", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 5_000_000n);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { reason: "below_minimum", choices: ["refund"] },
    });
  });

  test("nobody decides for 72 hours: refunded", async () => {
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

  test("overpaid within 2 %: filled pro rata; beyond: the quoted amount, and the surplus goes back by itself", async () => {
    const little = await w.lock(user, "USDT", "10000");
    w.usdt.deposit(little.fundingAddress, 10_200_000_000n);
    const much = await w.lock(user, "USDT", "100");
    w.usdt.deposit(much.fundingAddress, 102_000_001n);
    await w.settle();
    expect(await w.see(user, little.id)).toMatchObject({
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

  test("money to a completed, cancelled or refunded order goes back by itself and changes no state", async () => {
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

  test("cancelled only while no deposit was seen", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 1n);
    await w.tick();
    await expect(w.cancel(order.id)).rejects.toMatchObject({ code: "order_funded" });
  });

  test("a payout refused for certain before it was sent asks, and a refund gives all back", async () => {
    const { PaymentRefusedError } = await import("../../../app/exchange.server/chains/gateway");
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
