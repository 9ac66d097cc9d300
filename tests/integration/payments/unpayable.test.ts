import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { PaymentsWaitError, type PreparedPayment } from "~/exchange.server/chains/gateway";
import type { Database } from "~/exchange.server/db/database";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { external, getBalance, post, treasury } from "~/exchange.server/ledger/ledger";
import { refundOverdue } from "~/exchange.server/orders/due-steps/refund-overdue";
import { holdOrder } from "~/exchange.server/orders/holds/hold";
import { refundOrder } from "~/exchange.server/orders/payouts-and-refunds/refund";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { markPlannedPaid } from "~/exchange.server/payments/mark-paid";
import { readdressParked, refundParkedPayout, retryParked } from "~/exchange.server/payments/parked/decide-parked";
import { runPayments } from "~/exchange.server/payments/run-payments";
import { addMs, dayMs } from "~/lib/durations";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";

const units = { USDT: 100_000_000n, MOB: 100_000_000_000_000n } as const;

describe("a payment that cannot be made", () => {
  const w = forAllTests(() => openOrders("PostgreSQL"));
  let user: User;

  beforeEach(async () => {
    user = await w.createUser();
    await w.tick();
  });
  afterAll(async () => {
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });

  const fund = async (source: "USDT" | "MOB", amount: bigint = units[source]) => {
    const order = await w.lock(user, source, "100");
    w.chains[source].deposit(order.fundingAddress, amount);
    w.chains[source].mine(3);
    return order;
  };
  const ownerOf = async ({ accountId }: { accountId: string }) => ({ ...user, accountId });
  const paidTo = (address: string) => [...w.usdt.paid, ...w.mob.paid].filter((p) => p.to === address);
  const queryRows = (orderId: string) => w.ctx.db.select().from(payments).where(eq(payments.orderId, orderId));
  /** Moves USDT out of the treasury, as other swaps do, and back. */
  const moveTreasury = async (amount: bigint) =>
    post(w.ctx.db, {
      transfers: [
        amount < 0n
          ? { asset: "USDT", from: treasury, to: external, amount: -amount, kind: "float" }
          : { asset: "USDT", from: external, to: treasury, amount, kind: "float" },
      ],
      orderId: null,
      at: await w.ctx.clock.now(w.ctx.db),
    });
  const drainTreasury = async () => {
    const drained = await getBalance(w.ctx.db, "USDT", treasury);
    await moveTreasury(-drained);
    return drained;
  };

  it("T60 waits for an operator if its fill cannot be undone, while other payouts continue", async () => {
    const stuck = await fund("USDT");
    w.mob.faults.blocked.add(stuck.deliveryAddress);
    user = await w.createUser();
    const other = await fund("USDT");
    await w.scan("USDT");
    const drained = await drainTreasury();
    for (let run = 0; run < 3; run += 1) await runPayments(w.ctx, "MOB");
    expect(paidTo(other.deliveryAddress)).toHaveLength(1);
    expect(await queryRows(stuck.id)).toMatchObject([{ status: "planned", parkedAt: expect.any(Date) }]);
    expect(await listAlerts(w.ctx.db)).toMatchObject([
      { orderId: stuck.id, reason: expect.stringMatching(/^The payout of [0-9.]+ MOB cannot be made: This address/) },
    ]);
    await moveTreasury(drained);
  });

  it("T60 no longer waits for an operator once its order was put on hold and refunded", async () => {
    const stuck = await fund("USDT");
    w.mob.faults.blocked.add(stuck.deliveryAddress);
    await w.scan("USDT");
    const drained = await drainTreasury();
    await w.pay("MOB");
    await moveTreasury(drained);
    const alerted = async () => (await listAlerts(w.ctx.db)).map(({ orderId }) => orderId);
    expect(await alerted()).toContain(stuck.id);
    await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, stuck.id, { reason: "A check." }));
    await w.ctx.db.transaction(async (tx) =>
      refundOrder(tx, w.ctx, await lockOrderRow(tx, stuck.id), { by: "operator", at: await w.ctx.clock.now(tx) }),
    );
    expect(await alerted()).not.toContain(stuck.id);
    await w.settle();
    expect((await w.see(user, stuck.id)).status).toBe("refunded");
    expect(paidTo(stuck.refundAddress)).toMatchObject([{ amount: units.USDT }]);
  });

  it("does not keep other overdue orders from their refund", async () => {
    const stuck = await fund("USDT");
    w.mob.faults.prepare = () => {
      throw new Error("not now");
    };
    await w.tick();
    await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, stuck.id, { reason: "A check." }));
    const drained = await drainTreasury();
    user = await w.createUser();
    const other = await fund("USDT", 50_000_000n);
    await w.scan("USDT");
    w.wait(73 * 3_600_000);
    await w.scan("USDT");
    await refundOverdue(w.ctx);
    expect((await w.see(user, other.id)).status).toBe("refunding");
    expect(await listAlerts(w.ctx.db)).toContainEqual(
      expect.objectContaining({ subject: `order:${stuck.id}`, action: expect.stringContaining("operate float") }),
    );
    // With the funds there, the next try refunds it and ends the alert.
    await moveTreasury(drained);
    w.wait(61_000);
    w.mob.faults.prepare = null;
    await w.settle();
    expect(paidTo(stuck.refundAddress)).toHaveLength(1);
    expect((await listAlerts(w.ctx.db)).map(({ subject }) => subject)).not.toContain(`order:${stuck.id}`);
  });

  /** Runs the payment job of an asset a few times; each run is followed by a block. */
  const run = async (asset: "USDT" | "MOB", times: number) => {
    for (let i = 0; i < times; i += 1) {
      await runPayments(w.ctx, asset);
      w.chains[asset].mine();
    }
  };

  it.each(["USDT", "MOB"] as const)(
    "T60 pays the next payment of %s even if the network refuses one",
    async (asset) => {
      const source = asset === "USDT" ? "MOB" : "USDT";
      const stuck = await fund(source);
      w.chains[asset].faults.refused.add(stuck.deliveryAddress);
      await w.scan(source);
      await run(asset, 2);
      user = await w.createUser();
      const other = await fund(source);
      await w.scan(source);
      await run(asset, 8);
      expect(paidTo(other.deliveryAddress)).toHaveLength(1);
      expect(paidTo(stuck.deliveryAddress)).toHaveLength(0);
      expect(await listAlerts(w.ctx.db)).toContainEqual(
        expect.objectContaining({ orderId: stuck.id, reason: expect.stringContaining("the network refuses it") }),
      );
      // The network accepts it again: it is paid once, automatically.
      w.chains[asset].faults.refused.clear();
      w.wait(61_000);
      await w.settle();
      w.wait(61_000);
      await w.settle();
      expect(paidTo(stuck.deliveryAddress)).toHaveLength(1);
      expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === stuck.id)).toEqual([]);
    },
  );

  it.each(["USDT", "MOB"] as const)(
    "T60 pays the next payments of %s even if one can never be sent, for whatever reason",
    async (asset) => {
      const source = asset === "USDT" ? "MOB" : "USDT";
      const stuck = await fund(source);
      w.chains[asset].faults.unsendable.add(stuck.deliveryAddress);
      await w.scan(source);
      await run(asset, 1);
      const others: OrderRow[] = [];
      for (let i = 0; i < 2; i += 1) {
        user = await w.createUser();
        others.push(await fund(source));
      }
      await w.scan(source);
      for (let minute = 0; minute < 6; minute += 1) {
        w.wait(60_000);
        await run(asset, 2);
      }
      for (const { deliveryAddress } of others) expect(paidTo(deliveryAddress)).toHaveLength(1);
      expect(paidTo(stuck.deliveryAddress)).toHaveLength(0);
      expect(await listAlerts(w.ctx.db)).toContainEqual(
        expect.objectContaining({ orderId: stuck.id, reason: expect.stringContaining("cannot be sent (HTTP 403)") }),
      );
      // It can be sent again: it is paid once, automatically.
      w.chains[asset].faults.unsendable.clear();
      for (let minute = 0; minute < 3; minute += 1) {
        w.wait(61_000);
        await w.settle();
      }
      expect(paidTo(stuck.deliveryAddress)).toHaveLength(1);
      expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === stuck.id)).toEqual([]);
    },
  );

  it.each(["USDT", "MOB"] as const)(
    "T60 delays other payments of %s once only, however often it is tried again",
    async (asset) => {
      const source = asset === "USDT" ? "MOB" : "USDT";
      const chain = w.chains[asset];
      const stuck = await fund(source);
      chain.faults.unsendable.add(stuck.deliveryAddress);
      await w.scan(source);
      for (let minute = 0; minute < 5; minute += 1) {
        await run(asset, 1);
        w.wait(60_000);
      }
      const isParked = ({ parkedAt }: { parkedAt: Date | null }) => parkedAt !== null;
      expect((await queryRows(stuck.id)).filter(isParked)).toHaveLength(1);
      for (let minute = 0; minute < 15; minute += 1) {
        user = await w.createUser();
        await w.refreshRate();
        await w.tick();
        const other = await fund(source);
        await w.scan(source);
        // On MobileCoin the last block of the payment has passed.
        chain.faults.state = asset === "MOB" && minute % 5 === 0 ? "impossible" : "ok";
        await run(asset, 2);
        expect(paidTo(other.deliveryAddress), `minute ${minute}`).toHaveLength(1);
        w.wait(60_000);
      }
      expect((await queryRows(stuck.id)).filter(isParked).length).toBeGreaterThan(2);
      chain.faults.state = "ok";
      chain.faults.unsendable.clear();
      const waiting = (await queryRows(stuck.id)).find(({ status }) => status === "planned");
      if (waiting) await w.ctx.db.transaction((tx) => retryParked(tx, w.ctx, waiting.id));
      w.wait(61_000);
      await w.settle();
      expect(paidTo(stuck.deliveryAddress)).toHaveLength(1);
    },
  );

  it("T60 waits for an operator to retry it after several minutes of failed preparation", async () => {
    const stuck = await fund("MOB");
    w.usdt.faults.unpreparable.add(stuck.deliveryAddress);
    await w.scan("MOB");
    for (let second = 0; second < 200; second += 20) {
      await run("USDT", 1);
      w.wait(20_000);
    }
    expect(await queryRows(stuck.id)).toMatchObject([{ status: "planned", parkedAt: null }]);
    for (let minute = 0; minute < 5; minute += 1) {
      w.wait(60_000);
      await run("USDT", 1);
    }
    const [parked] = await queryRows(stuck.id);
    expect(parked).toMatchObject({ status: "planned", parkedAt: expect.any(Date) });
    expect(await listAlerts(w.ctx.db)).toContainEqual(
      expect.objectContaining({
        orderId: stuck.id,
        reason: expect.stringContaining("cannot be prepared (estimation failed)"),
      }),
    );
    w.usdt.faults.unpreparable.clear();
    await w.ctx.db.transaction((tx) => retryParked(tx, w.ctx, parked?.id ?? ""));
    await w.settle();
    expect(paidTo(stuck.deliveryAddress)).toHaveLength(1);
    expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === stuck.id)).toEqual([]);
  });

  it("T60 alerts an operator while payments cannot be made, and makes them automatically once they can", async () => {
    const order = await fund("MOB");
    w.usdt.faults.prepare = () => {
      throw new PaymentsWaitError("Gas costs too much; the payment waits.", { action: "Wait." });
    };
    await w.scan("MOB");
    for (let minute = 0; minute < 12; minute += 1) {
      await run("USDT", 1);
      w.wait(60_000);
    }
    expect(await queryRows(order.id)).toMatchObject([{ status: "planned", parkedAt: null }]);
    expect(await listAlerts(w.ctx.db)).toContainEqual(
      expect.objectContaining({
        subject: "unpayable:USDT",
        reason: expect.stringContaining("Gas costs too much"),
        action: "Wait.",
      }),
    );
    w.usdt.faults.prepare = null;
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    expect((await listAlerts(w.ctx.db)).filter(({ subject }) => subject === "unpayable:USDT")).toEqual([]);
  });

  it.each(["USDT", "MOB"] as const)(
    "T60 sets few payments of %s aside when none can be sent, and pays all once they can",
    async (asset) => {
      const source = asset === "USDT" ? "MOB" : "USDT";
      const all: OrderRow[] = [];
      for (let i = 0; i < 6; i += 1) {
        user = await w.createUser();
        all.push(await fund(source));
      }
      await w.scan(source);
      w.chains[asset].faults.broadcast = "reject";
      for (let minute = 0; minute < 40; minute += 1) {
        w.wait(60_000);
        await run(asset, 1);
      }
      const ids = all.map(({ id }) => id);
      const alerts = (await listAlerts(w.ctx.db)).filter(({ orderId }) => ids.includes(orderId ?? ""));
      expect(alerts).toHaveLength(asset === "USDT" ? 1 : 4);
      w.chains[asset].faults.broadcast = "ok";
      for (let minute = 0; minute < 3; minute += 1) {
        w.wait(61_000);
        await w.settle();
      }
      for (const { deliveryAddress } of all) expect(paidTo(deliveryAddress)).toHaveLength(1);
      expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => ids.includes(orderId ?? ""))).toEqual([]);
    },
  );

  it("T60 waits without setting anything aside while a payment cannot be sent for a moment", async () => {
    const order = await fund("MOB");
    w.usdt.faults.unsendable.add(order.deliveryAddress);
    await w.scan("MOB");
    for (let minute = 0; minute < 3; minute += 1) {
      await run("USDT", 5);
      w.wait(60_000);
    }
    expect(await queryRows(order.id)).toMatchObject([{ status: "prepared", parkedAt: null, refusals: 0 }]);
    w.usdt.faults.unsendable.clear();
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    expect(await queryRows(order.id)).toHaveLength(1);
  });

  it("T46 books a payment that could not be sent but reached a node, and never pays it again", async () => {
    const order = await fund("MOB");
    w.usdt.faults.unsendable.add(order.deliveryAddress);
    await w.scan("MOB");
    await run("USDT", 1);
    w.wait(241_000);
    const [prepared] = await queryRows(order.id);
    // A node had it anyway: it is included before the cancellation.
    const { prepareCancellation } = w.usdt;
    w.usdt.prepareCancellation = async (payment) => {
      w.usdt.faults.unsendable.clear();
      await w.usdt.broadcast(payment);
      return prepareCancellation(payment);
    };
    await run("USDT", 1);
    w.usdt.prepareCancellation = prepareCancellation;
    expect(await queryRows(order.id)).toMatchObject([{ cancellation: expect.anything() }]);
    await w.settle();
    expect((await queryRows(order.id)).map(({ hash, status }) => ({ hash, status }))).toEqual([
      { hash: prepared?.hash, status: "confirmed" },
    ]);
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("T60 alerts an operator while a payment can be neither sent nor cancelled, and makes it once it can", async () => {
    const order = await fund("MOB");
    w.usdt.faults.unsendable.add(order.deliveryAddress);
    const { prepareCancellation } = w.usdt;
    w.usdt.prepareCancellation = async () => {
      throw new Error("the nodes do not agree on a fee");
    };
    await w.scan("MOB");
    for (let minute = 0; minute < 6; minute += 1) {
      await run("USDT", 1);
      w.wait(60_000);
    }
    w.usdt.prepareCancellation = prepareCancellation;
    expect(await listAlerts(w.ctx.db)).toContainEqual(
      expect.objectContaining({
        orderId: order.id,
        reason: expect.stringMatching(
          /cannot be sent \(HTTP 403\).* cannot be signed \(the nodes do not agree on a fee\)/,
        ),
      }),
    );
    w.usdt.faults.unsendable.clear();
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === order.id)).toEqual([]);
  });

  it("T46 books a refused payment whose bytes had reached a node, and never pays it again", async () => {
    const stuck = await fund("MOB");
    w.usdt.faults.refused.add(stuck.deliveryAddress);
    await w.scan("MOB");
    await run("USDT", 2);
    const [prepared] = await queryRows(stuck.id);
    // The refusing node had it anyway: it is included before the cancellation.
    w.usdt.faults.refused.clear();
    await w.usdt.broadcast(prepared?.prepared as PreparedPayment);
    await w.settle();
    expect((await w.see(await ownerOf(stuck), stuck.id)).status).toBe("completed");
    expect(paidTo(stuck.deliveryAddress)).toHaveLength(1);
  });

  it("T60 after too many refusals, waits for an operator, who retries, re-addresses, refunds or books it", async () => {
    const stuck: OrderRow[] = [];
    const owners: User[] = [];
    for (let i = 0; i < 4; i += 1) {
      user = await w.createUser();
      owners.push(user);
      const order = await fund("MOB");
      w.usdt.faults.refused.add(order.deliveryAddress);
      stuck.push(order);
    }
    await w.scan("MOB");
    for (let i = 0; i < 12; i += 1) {
      await run("USDT", 8);
      w.wait(61_000);
    }
    const parked = await Promise.all(
      stuck.map(async ({ id }) => (await queryRows(id)).find((p) => p.status === "planned")),
    );
    const [retried, readdressed, refunded, booked] = parked.map((payment) => payment?.id ?? "");
    expect(parked).toMatchObject(Array.from({ length: 4 }, () => ({ parkedAt: expect.any(Date) })));
    const inTx = (act: (tx: Database) => Promise<unknown>) => w.ctx.db.transaction(act);
    const at = await w.ctx.clock.now(w.ctx.db);
    const another = `another-of-${owners[1]?.accountId}`;
    const readdress = () =>
      inTx((tx) => readdressParked(tx, w.ctx, { paymentId: readdressed ?? "", address: another }));
    await expect(readdress()).rejects.toMatchObject({ code: "address_invalid" });
    await w.ctx.db.insert(deliveryAddresses).values({
      ...{ id: another, accountId: owners[1]?.accountId ?? "", type: "ETH", address: another, canonical: another },
      ...{ label: "", createdAt: addMs(at, -2 * dayMs) },
    });
    await readdress();
    w.usdt.faults.refused.delete(stuck[0]?.deliveryAddress ?? "");
    await inTx((tx) => retryParked(tx, w.ctx, retried ?? ""));
    await inTx(async (tx) => refundParkedPayout(tx, w.ctx, await lockOrderRow(tx, stuck[2]?.id ?? "")));
    await inTx((tx) => markPlannedPaid(tx, w.ctx, { paymentId: booked ?? "", hash: "0xbyhand" }));
    await w.settle();
    await w.settle();
    expect(refunded).not.toBe("");
    const states = await Promise.all(stuck.map(async ({ id }, i) => (await w.see(owners[i] as User, id)).status));
    expect(states).toEqual(["completed", "completed", "refunded", "completed"]);
    expect(paidTo(stuck[0]?.deliveryAddress ?? "")).toHaveLength(1);
    expect(paidTo(another)).toHaveLength(1);
    expect(paidTo(stuck[2]?.refundAddress ?? "")).toHaveLength(1);
    expect(paidTo(stuck[3]?.deliveryAddress ?? "")).toHaveLength(0);
    const ids = stuck.map(({ id }) => id);
    expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => ids.includes(orderId ?? ""))).toEqual([]);
  });

  it("T60 raises the fee of a payment until the network accepts it, and pays it once", async () => {
    const order = await fund("MOB");
    w.usdt.faults.minFee = 3;
    await w.scan("MOB");
    await run("USDT", 6);
    await w.settle();
    w.usdt.faults.minFee = 0;
    const rows = await queryRows(order.id);
    const [paid] = w.usdt.paid.filter(({ to }) => to === order.deliveryAddress);
    expect(rows).toMatchObject([{ status: "confirmed", hash: paid?.hash, prepared: { raw: { fee: 3 } } }]);
    expect(rows[0]?.superseded).toHaveLength(2);
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
  });
});
