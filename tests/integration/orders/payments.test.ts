import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OpenDatabase } from "../../../app/exchange.server/db/open";
import { checkBooks } from "../../../app/exchange.server/ledger/check-books";
import { getSwitchReason, switchOn } from "../../../app/exchange.server/orders/acceptance";
import { runPayments } from "../../../app/exchange.server/orders/pay";
import { payoutFailed, replacePayment } from "../../../app/exchange.server/orders/payment-outcomes";
import { payments } from "../../../app/exchange.server/orders/tables";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { openTestDatabase, testDatabases } from "../../support/test-database";

describe.each(testDatabases)("outgoing payments on %s", (kind) => {
  let database: OpenDatabase;
  let w: OrdersWorld;
  let user: Awaited<ReturnType<OrdersWorld["createUser"]>>;

  beforeAll(async () => {
    database = await openTestDatabase(kind);
    w = await createOrdersWorld(database);
  });
  beforeEach(async () => {
    user = await w.createUser();
    for (const chain of [w.usdt, w.mob]) {
      chain.faults.broadcast = "ok";
      chain.faults.state = "ok";
      chain.faults.prepare = null;
    }
    await w.tick();
  });
  afterAll(async () => {
    expect(await checkBooks(database.db)).toEqual([]);
    await database.close();
  });

  const paidTo = (address: string) => [...w.usdt.paid, ...w.mob.paid].filter((p) => p.to === address);
  const fund = async (source: "USDT" | "MOB") => {
    const order = await w.lock(user, source, "100");
    const units = source === "USDT" ? 100_000_000n : 100_000_000_000_000n;
    w.chains[source].deposit(order.fundingAddress, units);
    w.chains[source].mine(3);
    return order;
  };

  test.each(["USDT", "MOB"] as const)(
    "T46 T47 %s out: the node takes it and the answer is lost: the same bytes again, one payment",
    async (asset) => {
      const order = await fund(asset === "USDT" ? "MOB" : "USDT");
      w.chains[asset].faults.broadcast = "accept_then_reject";
      await w.settle();
      w.chains[asset].faults.broadcast = "ok";
      await w.settle();
      expect((await w.see(user, order.id)).status).toBe("completed");
      expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    },
  );

  test.each(["USDT", "MOB"] as const)(
    "T46 %s out: a node that drops it silently gets the same bytes again",
    async (asset) => {
      const order = await fund(asset === "USDT" ? "MOB" : "USDT");
      w.chains[asset].faults.broadcast = "drop";
      await w.settle();
      const before = await w.see(user, order.id);
      expect(before).toMatchObject({ status: "paying_out", outgoing_txs: [{ status: "pending" }] });
      w.chains[asset].faults.broadcast = "ok";
      await w.settle();
      const after = await w.see(user, order.id);
      expect(after.status).toBe("completed");
      expect(after.outgoing_txs.map((tx) => tx.hash)).toEqual(before.outgoing_txs.map((tx) => tx.hash));
      expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    },
  );

  test("T46 a node that is away for long: never a second payment, only the first, late", async () => {
    const order = await fund("MOB");
    w.usdt.faults.broadcast = "reject";
    for (let i = 0; i < 5; i += 1) await w.settle();
    const rows = await w.x.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.status).toBe("prepared");
    w.usdt.faults.broadcast = "ok";
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  test("a payment without effect (reverted) has failed and is made anew, once", async () => {
    const order = await fund("MOB");
    w.usdt.faults.state = "reverted";
    // Credited, sent, and found without effect.
    for (let i = 0; i < 3; i += 1) await w.tick();
    w.usdt.faults.state = "ok";
    w.wait(31_000);
    await w.settle();
    const view = await w.see(user, order.id);
    expect(view.outgoing_txs.map((tx) => tx.status)).toEqual(["failed", "confirmed"]);
    expect(view.status).toBe("completed");
  });

  test("what could not be prepared is tried again later, and nothing is lost", async () => {
    const order = await fund("USDT");
    w.mob.faults.prepare = () => {
      throw new Error("InsufficientFundsFragmentedTxos");
    };
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    w.mob.faults.prepare = null;
    w.wait(61_000);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  test("nonces follow each other without gaps, one payment each", async () => {
    const before = w.usdt.paid.length;
    for (let i = 0; i < 4; i += 1) await fund("MOB");
    await w.settle();
    const rows = await w.x.db.select({ nonce: payments.nonce }).from(payments).where(eq(payments.asset, "USDT"));
    const nonces = rows.flatMap((row) => (row.nonce === null ? [] : [row.nonce])).sort((a, b) => a - b);
    expect(new Set(nonces).size).toBe(nonces.length);
    expect(w.usdt.paid.length).toBe(before + 4);
  });

  test("T48 a chain that is ahead of the database halts payments, loudly, and new swaps with them", async () => {
    const order = await fund("MOB");
    await w.usdt.broadcast({
      to: "somebody",
      amount: "1",
      hash: "by-somebody-else",
      nonce: 9_999,
      raw: null,
      networkFee: "0",
    });
    await w.settle();
    expect(await getSwitchReason(w.x.db, "payments")).toMatch(/Was a backup restored/);
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    expect(paidTo(order.deliveryAddress)).toHaveLength(0);
    await expect(w.lock(user, "USDT", "50")).rejects.toMatchObject({ code: "swaps_stopped" });
    // The operator looks, and says to go on from where the chain is.
    await w.x.db.execute(sql`update chain_states set baseline_nonce = 10000 where asset = 'USDT'`);
    await switchOn(w.x.db, "payments", await w.x.clock.now(w.x.db));
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  test("T48 a new payout key halts payments until an operator says where its nonces begin", async () => {
    const order = await fund("MOB");
    const { signer, getNextNonce } = w.usdt;
    Object.assign(w.usdt, { signer: "a new key", getNextNonce: async () => 7 });
    await w.settle();
    expect(await getSwitchReason(w.x.db, "payments")).toMatch(/the payout key changed/);
    expect(paidTo(order.deliveryAddress)).toHaveLength(0);
    await w.x.db.execute(sql`update chain_states set baseline_nonce = 7 where asset = 'USDT'`);
    await switchOn(w.x.db, "payments", await w.x.clock.now(w.x.db));
    await w.settle();
    const [row] = await w.x.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(row).toMatchObject({ status: "confirmed", signer: "a new key", nonce: 7 });
    Object.assign(w.usdt, { signer, getNextNonce });
  });

  test("one payout an order and one refund a deposit stand in the database itself", async () => {
    const order = await fund("USDT");
    await w.settle();
    const [row] = await w.x.db.select().from(payments).where(eq(payments.orderId, order.id));
    if (!row) throw new Error("a payout");
    await expect(w.x.db.insert(payments).values({ ...row, id: "another" })).rejects.toThrow();
  });

  test("T59 a worker that judged a version which has moved on since changes nothing", async () => {
    const order = await fund("MOB");
    w.usdt.faults.broadcast = "drop";
    await w.tick();
    await w.tick();
    const [sent] = await w.x.db.select().from(payments).where(eq(payments.orderId, order.id));
    if (sent?.status !== "sent") throw new Error("a payout under way");
    // One was told "refused" while it was planned, one "impossible" of the bytes before a fee bump.
    await payoutFailed(w.x, { ...sent, status: "planned", hash: null }, "a late word");
    await replacePayment(w.x, { ...sent, hash: "an earlier version" }, "a late word");
    expect(await w.x.db.select().from(payments).where(eq(payments.orderId, order.id))).toEqual([sent]);
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    w.usdt.faults.broadcast = "ok";
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  test("a payment that cannot be followed does not keep the others", async () => {
    const stuck = await fund("MOB");
    user = await w.createUser();
    const order = await fund("MOB");
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async (payment) => {
      if (payment.to === stuck.deliveryAddress) throw new Error("the node knows nothing of it");
      return getPaymentState(payment);
    };
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    w.usdt.getPaymentState = getPaymentState;
    await w.settle();
    expect(paidTo(stuck.deliveryAddress)).toHaveLength(1);
  });

  test("T59 the pay job run by many at once pays once", async () => {
    const orders = await Promise.all([fund("USDT"), fund("USDT"), fund("USDT")]);
    await w.tick();
    await Promise.all(Array.from({ length: 8 }, () => runPayments(w.x, "MOB")));
    await w.settle();
    for (const order of orders) expect(paidTo(order.deliveryAddress).length).toBe(3);
    expect(new Set(w.mob.paid.map((p) => p.hash)).size).toBe(w.mob.paid.length);
  });
});
