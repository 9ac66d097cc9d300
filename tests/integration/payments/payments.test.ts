import { eq, sql } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { PreparedPayment } from "~/exchange.server/chains/gateway";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { retryParked } from "~/exchange.server/payments/parked/decide-parked";
import { runPayments } from "~/exchange.server/payments/run-payments";
import { confirmPayment, failPayout, replacePayment } from "~/exchange.server/payments/sending/outcomes";
import { getOffReason } from "~/exchange.server/switches/switches";
import { forAllTests } from "../../support/for-tests";
import { createOrdersHarness, openOrders, type User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";

describe("outgoing payments", () => {
  const w = forAllTests(() => openOrders("PostgreSQL"));
  let user: User;

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
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });

  const switchAllOn = async () => {
    for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name);
  };
  const paidTo = (address: string) => [...w.usdt.paid, ...w.mob.paid].filter((p) => p.to === address);
  const fund = async (source: "USDT" | "MOB", { world, owner } = { world: w, owner: user }) => {
    const order = await world.lock(owner, source, "100");
    const units = source === "USDT" ? 100_000_000n : 100_000_000_000_000n;
    world.chains[source].deposit(order.fundingAddress, units);
    world.chains[source].mine(3);
    return order;
  };

  it.each(["USDT", "MOB"] as const)(
    "T46 T47 sends the same bytes again, and pays %s once, if the node's response is lost",
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

  it.each(["USDT", "MOB"] as const)(
    "T46 sends the same bytes of %s again if the node silently drops them",
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

  it("completes an order with the last confirmation of its payout, and shows those before", async () => {
    const order = await fund("MOB");
    // The deposit is seen in the first run, and the payout sent in the second.
    await w.tick();
    await w.tick();
    const seen = async () => {
      await w.tick();
      const { status, outgoing_txs, updated_at } = await w.see(user, order.id);
      return { status, payout: outgoing_txs[0], updated_at };
    };
    for (const confirmations of [1, 2]) {
      const first = await seen();
      const payout = { status: "pending", confirmations, required_confirmations: 3 };
      expect(first).toMatchObject({ status: "paying_out", payout });
      // Nothing is written until there is another block.
      expect(await seen()).toEqual(first);
      w.usdt.mine();
    }
    expect(await seen()).toMatchObject({ status: "completed", payout: { status: "confirmed", confirmations: 3 } });
  });

  it("completes an order only with its payout, even if its surplus was refunded before", async () => {
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 150_000_000_000_000n);
    w.usdt.faults.broadcast = "drop";
    await w.settle();
    const refunded = await w.see(user, order.id);
    expect(refunded.status).toBe("paying_out");
    expect(refunded.outgoing_txs.map(({ purpose, status }) => [purpose, status]).sort()).toEqual([
      ["payout", "pending"],
      ["refund", "confirmed"],
    ]);
    w.usdt.faults.broadcast = "ok";
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("T59 books a payment once even if two workers see its last confirmation", async () => {
    const order = await fund("MOB");
    await w.tick();
    await w.tick();
    const [payment] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    if (!payment) throw new Error("a payout");
    const version = payment.prepared as PreparedPayment;
    // A node that claims more than the others agree on cannot make a payment final, whatever the setting is now.
    await confirmPayment(w.ctx, payment, version, { confirmations: 11, disputed: true });
    expect(await w.see(user, order.id)).toMatchObject({ status: "paying_out" });
    await confirmPayment(w.ctx, payment, version, { confirmations: 3 });
    await confirmPayment(w.ctx, payment, version, { confirmations: 3 });
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === order.id)).toEqual([]);
    w.usdt.mine(3);
  });

  it("refunds an order only with the last of its refunds", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    w.usdt.mine(3);
    await w.tick();
    w.usdt.deposit(order.fundingAddress, 20_000_000n);
    w.usdt.mine();
    await w.decide(user, order.id, { choice: "refund" });
    const steps: [status: string, refunds: string[]][] = [];
    for (let i = 0; i < 6; i += 1) {
      await w.tick();
      const { status, outgoing_txs } = await w.see(user, order.id);
      steps.push([status, outgoing_txs.map((tx) => tx.status)]);
      w.usdt.mine();
    }
    expect(steps).toContainEqual(["refunding", expect.arrayContaining(["confirmed", "pending"])]);
    expect(steps.at(-1)).toEqual(["refunded", ["confirmed", "confirmed"]]);
  });

  it("T46 sends a payment late, but not twice, after a node was down for a long time", async () => {
    const order = await fund("MOB");
    w.usdt.faults.broadcast = "reject";
    for (let i = 0; i < 5; i += 1) await w.settle();
    const rows = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.status).toBe("prepared");
    w.usdt.faults.broadcast = "ok";
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("replaces a reverted payment, once", async () => {
    const order = await fund("MOB");
    w.usdt.faults.state = "reverted";
    // Credited, sent, and found to be reverted.
    for (let i = 0; i < 3; i += 1) await w.tick();
    w.usdt.faults.state = "ok";
    w.wait(31_000);
    await w.settle();
    const view = await w.see(user, order.id);
    expect(view.outgoing_txs.map((tx) => tx.status)).toEqual(["failed", "confirmed"]);
    expect(view.status).toBe("completed");
  });

  it.each(["USDT", "MOB"] as const)(
    "T60 retries a payment of %s that never has an effect only a few times, then waits for an operator",
    async (asset) => {
      await w.settle();
      const order = await fund(asset === "USDT" ? "MOB" : "USDT");
      const { faults } = w.chains[asset];
      // Ethereum includes it without effect; MobileCoin's network drops what the wallet has accepted.
      if (asset === "MOB") faults.broadcast = "drop";
      const rows = () => w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
      const alerted: number[] = [];
      for (let run = 0; run < 12; run += 1) {
        faults.state = "ok";
        await w.tick();
        faults.state = asset === "USDT" ? "reverted" : "impossible";
        await w.tick();
        if ((await listAlerts(w.ctx.db)).some(({ orderId }) => orderId === order.id))
          alerted.push((await rows()).length);
        w.wait(31_000);
      }
      const planned = (await rows()).find(({ status }) => status === "planned");
      expect(await rows()).toHaveLength(7);
      expect(planned).toMatchObject({ parkedAt: expect.any(Date), lastError: expect.stringContaining("the chain") });
      expect(alerted[0], "after three payments without effect").toBe(4);

      faults.broadcast = "ok";
      faults.state = "ok";
      await w.ctx.db.transaction((tx) => retryParked(tx, w.ctx, planned?.id ?? ""));
      await w.settle();
      expect((await w.see(user, order.id)).status).toBe("completed");
      expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === order.id)).toEqual([]);
      await w.refreshRate();
    },
  );

  it.each(["USDT", "MOB"] as const)(
    "T60 alerts an operator to a sent payment of %s that is not in a block, unless its fee is still being raised",
    async (asset) => {
      const chain = w.chains[asset];
      const order = await fund(asset === "USDT" ? "MOB" : "USDT");
      chain.faults.broadcast = "drop";
      const alerted = async () => (await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === order.id);
      const wait = async (minutes: number) => {
        for (let minute = 0; minute < minutes; minute += 1) {
          w.wait(60_000);
          await w.tick();
        }
      };
      await w.tick();
      await w.tick();
      const { bumpPayment } = chain;
      if (asset === "USDT") {
        chain.bumpPayment = (payment) => bumpPayment(payment, { refused: true });
        await wait(12);
        expect(await alerted()).toEqual([]);
        chain.bumpPayment = bumpPayment;
      }
      // A fee that was raised counts for twenty minutes after the payment was sent.
      await wait(asset === "USDT" ? 6 : 8);
      expect(await alerted()).toEqual([]);
      await wait(4);
      expect(await alerted()).toMatchObject([
        { reason: expect.stringMatching(/^The payout of [0-9.]+ (USDT|MOB) is not in a block/) },
      ]);
      chain.faults.broadcast = "ok";
      await w.settle();
      expect((await w.see(user, order.id)).status).toBe("completed");
      expect(await alerted()).toEqual([]);
      await w.refreshRate();
    },
  );

  it("retries later if a payment could not be prepared", async () => {
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

  it("uses a different nonce for each payment", async () => {
    const before = w.usdt.paid.length;
    for (let i = 0; i < 4; i += 1) await fund("MOB");
    await w.settle();
    const rows = await w.ctx.db.select({ nonce: payments.nonce }).from(payments).where(eq(payments.asset, "USDT"));
    const nonces = rows.flatMap((row) => (row.nonce === null ? [] : [row.nonce])).sort((a, b) => a - b);
    expect(new Set(nonces).size).toBe(nonces.length);
    expect(w.usdt.paid.length).toBe(before + 4);
  });

  it("T48 stops payments and new swaps, with a fatal log line, if the chain is ahead of the database", async () => {
    const order = await fund("MOB");
    // A transaction that pays no USDT: it is not an unknown payment.
    await w.usdt.broadcast({
      to: "somebody",
      amount: "0",
      hash: "by-another-key",
      nonce: 9_999,
      raw: null,
      networkFee: "0",
    });
    await w.settle();
    expect(await getOffReason(w.ctx.db, "payments")).toMatch(/Was a backup restored/);
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    expect(paidTo(order.deliveryAddress)).toHaveLength(0);
    await expect(w.lock(user, "USDT", "50")).rejects.toMatchObject({ code: "swaps_stopped" });
    // The operator checks, and accepts the chain's nonce.
    await w.ctx.db.execute(sql`update chain_states set baseline_nonce = 10000 where asset = 'USDT'`);
    await switchAllOn();
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("T48 stops payments with a new payout key until an operator accepts its nonce", async () => {
    const order = await fund("MOB");
    const { signer, getNextNonce, getMinedNonce } = w.usdt;
    Object.assign(w.usdt, { signer: "a new key", getNextNonce: async () => 7, getMinedNonce: async () => 7 });
    await w.settle();
    expect(await getOffReason(w.ctx.db, "payments")).toMatch(/the payout key changed/);
    expect(await getOffReason(w.ctx.db, "swaps")).toMatch(
      /then run "operate accept-nonce 7", "operate on payments" and "operate on swaps"/,
    );
    expect(paidTo(order.deliveryAddress)).toHaveLength(0);
    await w.ctx.db.execute(sql`update chain_states set baseline_nonce = 7 where asset = 'USDT'`);
    await switchAllOn();
    await w.settle();
    const [row] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(row).toMatchObject({ status: "confirmed", signer: "a new key", nonce: 7 });
    Object.assign(w.usdt, { signer, getNextNonce, getMinedNonce });
  });

  it("T48 stops payments with a new payout key after the first payment, before the history was ever read", async () => {
    const own = await openTestDatabase("PostgreSQL");
    const world = await createOrdersHarness(own);
    const by = { world, owner: await world.createUser() };
    for (let i = 0; i < 2; i += 1) await fund("MOB", by);
    await world.settle();
    const [chain] = await own.db.select().from(chainStates).where(eq(chainStates.asset, "USDT"));
    expect([world.usdt.paid.length, chain?.baselineNonce]).toEqual([2, 0]);
    Object.assign(world.usdt, { signer: "a new key", getNextNonce: async () => 7, getMinedNonce: async () => 7 });
    await fund("MOB", by);
    await world.settle();
    expect(await getOffReason(own.db, "payments")).toMatch(/the payout key changed/);
    expect(world.usdt.paid).toHaveLength(2);
    await own.close();
  });

  it("allows one payout per order by a unique index", async () => {
    const order = await fund("USDT");
    await w.settle();
    const [row] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    if (!row) throw new Error("a payout");
    await expect(w.ctx.db.insert(payments).values({ ...row, id: "another" })).rejects.toMatchObject({
      cause: { constraint: "payments_one_payout" },
    });
  });

  it("T59 changes nothing if the payment has changed since the worker read it", async () => {
    const order = await fund("MOB");
    w.usdt.faults.broadcast = "drop";
    await w.tick();
    await w.tick();
    const [sent] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    if (sent?.status !== "sent") throw new Error("a payout under way");
    // One worker read "refused" while the payment was planned, another "impossible" for the bytes before a fee bump.
    await failPayout(w.ctx, { ...sent, status: "planned", hash: null }, "a late result");
    await replacePayment(w.ctx, { ...sent, hash: "an earlier version" }, "a late result");
    expect(await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id))).toEqual([sent]);
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    w.usdt.faults.broadcast = "ok";
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("follows other payments even if one cannot be followed", async () => {
    const stuck = await fund("MOB");
    user = await w.createUser();
    const order = await fund("MOB");
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async (payment) => {
      if (payment.to === stuck.deliveryAddress) throw new Error("the node does not know the transaction");
      return getPaymentState(payment);
    };
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    w.usdt.getPaymentState = getPaymentState;
    await w.settle();
    expect(paidTo(stuck.deliveryAddress)).toHaveLength(1);
  });

  it("T59 pays once even if many workers run the payment job at the same time", async () => {
    const orders = await Promise.all([fund("USDT"), fund("USDT"), fund("USDT")]);
    await w.tick();
    await Promise.all(Array.from({ length: 8 }, () => runPayments(w.ctx, "MOB")));
    await w.settle();
    for (const order of orders) expect(paidTo(order.deliveryAddress).length).toBe(3);
    expect(new Set(w.mob.paid.map((p) => p.hash)).size).toBe(w.mob.paid.length);
  });

  describe("while the node prepares a payment", () => {
    /** Runs `during` inside the node's call, once. */
    const duringPreparation = (during: () => Promise<unknown>) => {
      const { preparePayment } = w.mob;
      w.mob.preparePayment = async (request) => {
        w.mob.preparePayment = preparePayment;
        const prepared = await preparePayment(request);
        await during();
        return prepared;
      };
    };

    it("does not hold a lock, so the order can be changed", async () => {
      const order = await fund("USDT");
      await w.scan("USDT");
      let locked: unknown = "not tried";
      duringPreparation(async () => {
        // PGlite has one connection: there, a lock would block this query forever, and the test would time out.
        const lockable = w.ctx.db.execute(sql`select 1 from orders where id = ${order.id} for update nowait`);
        locked = await lockable.then(() => "free", String);
      });
      await runPayments(w.ctx, "MOB");
      expect(locked).toBe("free");
      await w.settle();
      expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    });

    it("T59 drops what was built, unsent, if the order is put on hold in the meantime", async () => {
      const order = await fund("USDT");
      await w.scan("USDT");
      duringPreparation(() => w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." })));
      await runPayments(w.ctx, "MOB");
      const [row] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
      expect(row).toMatchObject({ status: "planned", hash: null });
      expect(paidTo(order.deliveryAddress)).toHaveLength(0);
      await w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, order.id));
      await w.settle();
      expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    });

    it("T59 uses its nonce once even if another process prepares and sends in between", async () => {
      const order = await fund("MOB");
      await w.scan("MOB");
      const { preparePayment } = w.usdt;
      w.usdt.preparePayment = async (request) => {
        w.usdt.preparePayment = preparePayment;
        const prepared = await preparePayment(request);
        await runPayments(w.ctx, "USDT");
        return { ...prepared, hash: `${prepared.hash}-late` };
      };
      await runPayments(w.ctx, "USDT");
      await w.settle();
      expect(paidTo(order.deliveryAddress)).toHaveLength(1);
      expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
    });
  });
});
