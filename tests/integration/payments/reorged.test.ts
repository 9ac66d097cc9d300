import { and, desc, eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { PreparedPayment } from "~/exchange.server/chains/gateway";
import type { Database } from "~/exchange.server/db/database";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { type PaymentRow, payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { markPlannedPaid } from "~/exchange.server/payments/mark-paid";
import { readdressParked, refundParkedPayout, retryParked } from "~/exchange.server/payments/parked/decide-parked";
import { runPayments } from "~/exchange.server/payments/run-payments";
import { getOffReason } from "~/exchange.server/switches/switches";
import { addMs, dayMs } from "~/lib/durations";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";

describe("a reorg that removes a confirmed payout", () => {
  const w = forAllTests(() => openOrders("PostgreSQL"));
  let user: User;

  beforeEach(async () => {
    user = await w.createUser();
    await w.tick();
  });

  const paidTo = (address: string) => w.usdt.paid.filter((p) => p.to === address);
  /** The newest payment of an order. */
  const rowOf = async (orderId: string) => {
    const ofOrder = eq(payments.orderId, orderId);
    const [row] = await w.ctx.db.select().from(payments).where(ofOrder).orderBy(desc(payments.createdAt)).limit(1);
    return row;
  };
  /** An order whose payout has just got its last confirmation. */
  const complete = async () => {
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100_000_000_000_000n);
    await w.scan("MOB");
    await runPayments(w.ctx, "USDT");
    w.usdt.mine(2);
    await runPayments(w.ctx, "USDT");
    expect((await w.see(user, order.id)).status).toBe("completed");
    const hash = (await rowOf(order.id))?.hash ?? "";
    return { order, hash };
  };

  it("T50 sends the same bytes again, alerts within 30 seconds, and stops new swaps", async () => {
    const { order, hash } = await complete();
    w.usdt.loseFromChain(hash);
    w.usdt.faults.broadcast = "drop";
    await runPayments(w.ctx, "USDT");
    // Missing only for a moment: one node may lag behind another.
    expect(await getOffReason(w.ctx.db, "swaps")).toBeNull();
    w.wait(15_000);
    await runPayments(w.ctx, "USDT");
    expect(await getOffReason(w.ctx.db, "swaps")).toContain(hash);
    expect(await listAlerts(w.ctx.db)).toMatchObject([{ orderId: order.id }]);
    w.usdt.faults.broadcast = "ok";
    await runPayments(w.ctx, "USDT");
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toEqual([expect.objectContaining({ hash })]);
    expect(await rowOf(order.id)).toMatchObject({
      status: "confirmed",
      missingSince: null,
      settledAt: expect.any(Date),
    });
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    await switchOn(w.ctx.db, "swaps");
  });

  it("writes a confirmed payout only when something has changed", async () => {
    const { order } = await complete();
    const readVersion = async () =>
      w.ctx.db.select({ version: sql<string>`xmin::text` }).from(payments).where(eq(payments.orderId, order.id));
    const before = await readVersion();
    await runPayments(w.ctx, "USDT");
    expect(await readVersion()).toEqual(before);
    await w.settle();
    expect(await readVersion()).not.toEqual(before);
    expect(await rowOf(order.id)).toMatchObject({ settledAt: expect.any(Date) });
  });

  it("takes turns among confirmed payments that are not settled yet", async () => {
    const { order } = await complete();
    const row = await rowOf(order.id);
    if (!row) throw new Error("the order has no payment");
    const copies = Array.from({ length: 70 }, (_, i) => {
      return { ...row, id: `${row.id}-${i}`, purpose: "refund" as const, nonce: null };
    });
    await w.ctx.db.insert(payments).values(copies);
    const lookUp = vi.spyOn(w.usdt, "getPaymentState");
    const countLookUps = async () => {
      lookUp.mockClear();
      await runPayments(w.ctx, "USDT");
      return lookUp.mock.calls.length;
    };
    w.usdt.mine();
    expect([await countLookUps(), await countLookUps(), await countLookUps()]).toEqual([50, 21, 0]);
    // A missing payment is looked up in every run, even if nothing changes.
    const missing = eq(payments.id, `${row.id}-69`);
    await w.ctx.db
      .update(payments)
      .set({ missingSince: await w.ctx.clock.now(w.ctx.db) })
      .where(missing);
    lookUp.mockResolvedValue({ kind: "unknown" });
    // By the hash that it had in a block, and then in all of its versions.
    expect([await countLookUps(), await countLookUps()]).toEqual([2, 2]);
    lookUp.mockRestore();
    await w.ctx.db.delete(payments).where(and(eq(payments.orderId, order.id), eq(payments.purpose, "refund")));
  });

  it("T50 sends it again even if payments cannot be prepared", async () => {
    const { hash } = await complete();
    const waiting = await w.lock(user, "MOB", "100");
    w.mob.deposit(waiting.fundingAddress, 100_000_000_000_000n);
    await w.scan("MOB");
    w.usdt.loseFromChain(hash);
    const nonces = vi.spyOn(w.usdt, "getNextNonce").mockRejectedValue(new Error("Too few nodes respond."));
    const sent = w.usdt.broadcasts;
    await expect(runPayments(w.ctx, "USDT")).rejects.toThrow("Too few nodes respond.");
    expect(w.usdt.broadcasts).toBe(sent + 1);
    nonces.mockRestore();
    await w.settle();
    expect((await w.see(user, waiting.id)).status).toBe("completed");
  });

  it("does not delay later payouts behind the nonce gap", async () => {
    const { order, hash } = await complete();
    w.usdt.loseFromChain(hash);
    user = await w.createUser();
    const later = await complete();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    expect(paidTo(later.order.deliveryAddress)).toHaveLength(1);
  });

  it("T50 owes the payout again if its nonce was used by another transaction, and pays it when an operator decides", async () => {
    const { order, hash } = await complete();
    const { nonce } = (await rowOf(order.id)) ?? {};
    w.usdt.loseFromChain(hash);
    await w.usdt.broadcast({
      to: "somebody",
      amount: "0",
      hash: "rival",
      nonce: nonce ?? 0,
      raw: null,
      networkFee: "0",
    });
    w.usdt.mine(3);
    await runPayments(w.ctx, "USDT");
    const replacement = await rowOf(order.id);
    expect(replacement).toMatchObject({ status: "planned", parkedAt: expect.any(Date) });
    expect(await checkBooks(w.ctx.db)).toEqual([]);
    expect(await getOffReason(w.ctx.db, "swaps")).toContain("reorg");
    expect(paidTo(order.deliveryAddress)).toHaveLength(0);
    await w.ctx.db.transaction((tx) => retryParked(tx, w.ctx, replacement?.id ?? ""));
    await w.settle();
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    await switchOn(w.ctx.db, "swaps");
  });

  it("T50 finds a failed payout that takes effect after all, so that its replacement is not paid", async () => {
    await checkHistory(w.ctx, "USDT", { isThorough: false });
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100_000_000_000_000n);
    await w.scan("MOB");
    w.usdt.faults.broadcast = "drop";
    await runPayments(w.ctx, "USDT");
    const failed = await rowOf(order.id);
    if (!failed?.prepared) throw new Error("the payout is not prepared");
    const { nonce, hash, prepared } = failed;
    w.usdt.faults.broadcast = "ok";
    await w.usdt.broadcast({ to: "somebody", amount: "0", hash: "another rival", nonce, raw: null, networkFee: "0" });
    w.usdt.mine(3);
    await runPayments(w.ctx, "USDT");
    const replacement = await rowOf(order.id);
    expect(replacement).toMatchObject({ status: "planned", parkedAt: null });

    w.usdt.loseFromChain("another rival");
    await w.usdt.broadcast(prepared);
    await checkHistory(w.ctx, "USDT", { isThorough: false });
    w.wait(31_000);
    await runPayments(w.ctx, "USDT");
    expect(await listAlerts(w.ctx.db)).toContainEqual(expect.objectContaining({ subject: `unknown:${hash}` }));
    expect(await rowOf(order.id)).toMatchObject({
      id: replacement?.id,
      parkedAt: expect.any(Date),
      mayDuplicate: hash,
    });

    const markPaid = (paymentId = "") =>
      w.ctx.db.transaction((tx) => markPlannedPaid(tx, w.ctx, { paymentId, hash: hash ?? "" }));
    await markPaid(replacement?.id);
    for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name);
    await checkHistory(w.ctx, "USDT", { isThorough: false });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });

  it("T50 does not let another order take the transaction of a failed payout", async () => {
    const owner = user;
    const { order } = await complete();
    const [payout] = [await rowOf(order.id)];
    user = await w.createUser();
    const planned = await w.lock(user, "MOB", "100");
    w.mob.deposit(planned.fundingAddress, 100_000_000_000_000n);
    await w.scan("MOB");
    const other = await rowOf(planned.id);
    const set = (id: string | undefined, values: Partial<PaymentRow>) =>
      w.ctx.db
        .update(payments)
        .set(values)
        .where(eq(payments.id, id ?? ""));
    await set(payout?.id, { status: "failed" });
    await set(other?.id, { parkedAt: await w.ctx.clock.now(w.ctx.db) });
    const markPaid = w.ctx.db.transaction((tx) =>
      markPlannedPaid(tx, w.ctx, { paymentId: other?.id ?? "", hash: payout?.hash ?? "" }),
    );
    await expect(markPaid).rejects.toMatchObject({ code: "invalid" });
    await set(payout?.id, { status: "confirmed" });
    await set(other?.id, { parkedAt: null });
    await w.settle();
    expect((await w.see(owner, order.id)).status).toBe("completed");
  });

  /** Runs the payment job a few times; each run is followed by a block. */
  const run = async (times: number) => {
    for (let i = 0; i < times; i += 1) {
      await runPayments(w.ctx, "USDT");
      w.usdt.mine();
    }
  };
  /** An order whose payout has left the chain after its last confirmation, and has been refused since. */
  const refuse = async () => {
    user = await w.createUser();
    const owner = user;
    const { order, hash } = await complete();
    w.usdt.loseFromChain(hash);
    w.usdt.faults.refused.add(order.deliveryAddress);
    return { order, hash, owner, payment: await rowOf(order.id) };
  };

  it("T60 owes a payout again that the network refuses after a reorg, once its cancellation is mined", async () => {
    const orders = [await refuse(), await refuse(), await refuse(), await refuse()];
    w.wait(15_000);
    await run(3);
    expect(await getOffReason(w.ctx.db, "swaps")).toContain("reorg");
    await run(8);
    const parked = await Promise.all(orders.map(({ order }) => rowOf(order.id)));
    const [retried, readdressed, refunded, booked] = parked.map((payment) => payment?.id ?? "");
    expect(parked).toMatchObject(
      orders.map(({ order }) => ({ orderId: order.id, status: "planned", parkedAt: expect.any(Date) })),
    );
    const ids = orders.map(({ order }) => order.id);
    const listOpen = async () =>
      (await listAlerts(w.ctx.db)).map(({ orderId }) => orderId).filter((id) => ids.includes(id ?? ""));
    expect((await listOpen()).sort()).toEqual([...ids].sort());
    expect(await checkBooks(w.ctx.db)).toEqual([]);

    // Each of these is what an operator may decide.
    const [first, second, third, fourth] = orders;
    const another = `another-of-${second?.owner.accountId}`;
    await w.ctx.db.insert(deliveryAddresses).values({
      ...{ id: another, accountId: second?.owner.accountId ?? "", type: "ETH", address: another, canonical: another },
      ...{ label: "", createdAt: addMs(await w.ctx.clock.now(w.ctx.db), -2 * dayMs) },
    });
    const inTx = (act: (tx: Database) => Promise<unknown>) => w.ctx.db.transaction(act);
    w.usdt.faults.refused.delete(first?.order.deliveryAddress ?? "");
    await inTx((tx) => retryParked(tx, w.ctx, retried ?? ""));
    await inTx((tx) => readdressParked(tx, w.ctx, { paymentId: readdressed ?? "", address: another }));
    await inTx(async (tx) => refundParkedPayout(tx, w.ctx, await lockOrderRow(tx, third?.order.id ?? "")));
    await inTx((tx) => markPlannedPaid(tx, w.ctx, { paymentId: booked ?? "", hash: "0xbyhand" }));
    await w.settle();
    await w.settle();
    expect(refunded).not.toBe("");
    const states = await Promise.all(orders.map(async ({ order, owner }) => (await w.see(owner, order.id)).status));
    expect(states).toEqual(["completed", "completed", "refunded", "completed"]);
    expect(paidTo(first?.order.deliveryAddress ?? "")).toHaveLength(1);
    expect(paidTo(another)).toHaveLength(1);
    expect(paidTo(third?.order.deliveryAddress ?? "")).toHaveLength(0);
    expect(w.mob.paid.filter(({ to }) => to === third?.order.refundAddress)).toHaveLength(1);
    expect(paidTo(fourth?.order.deliveryAddress ?? "")).toHaveLength(0);
    expect(await listOpen()).toEqual([]);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
    await switchOn(w.ctx.db, "swaps");
  });

  it("T60 parks a payout again if its owner may no longer swap, so that an operator can refund the order", async () => {
    const { order, owner } = await refuse();
    await run(10);
    const parked = await rowOf(order.id);
    expect(parked).toMatchObject({ status: "planned", parkedAt: expect.any(Date) });
    await w.setKyc(owner, "rejected");
    w.usdt.faults.refused.clear();
    await w.ctx.db.transaction((tx) => retryParked(tx, w.ctx, parked?.id ?? ""));
    await run(2);
    expect(await rowOf(order.id)).toMatchObject({ status: "planned", parkedAt: expect.any(Date) });
    expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === order.id)).toMatchObject([
      { reason: expect.stringContaining("blocked or not verified") },
    ]);
    await w.ctx.db.transaction(async (tx) => refundParkedPayout(tx, w.ctx, await lockOrderRow(tx, order.id)));
    await w.settle();
    expect((await w.see(owner, order.id)).status).toBe("refunded");
    expect(paidTo(order.deliveryAddress)).toHaveLength(0);
    expect(w.mob.paid.filter(({ to }) => to === order.refundAddress)).toHaveLength(1);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
    await switchOn(w.ctx.db, "swaps");
  });

  it("T60 parks a payout again if its receiver is permanently refused, and makes the next payment", async () => {
    const { order } = await refuse();
    await run(10);
    const parked = await rowOf(order.id);
    expect(parked).toMatchObject({ status: "planned", parkedAt: expect.any(Date) });
    w.usdt.faults.refused.clear();
    w.usdt.faults.blocked.add(order.deliveryAddress);
    await w.ctx.db.transaction((tx) => retryParked(tx, w.ctx, parked?.id ?? ""));
    await switchOn(w.ctx.db, "swaps");
    user = await w.createUser();
    const later = await complete();
    expect(paidTo(later.order.deliveryAddress)).toHaveLength(1);
    expect(await rowOf(order.id)).toMatchObject({ status: "planned", parkedAt: expect.any(Date) });
    expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === order.id)).toMatchObject([
      { reason: expect.stringContaining("This address is blocked.") },
    ]);
    w.usdt.faults.blocked.clear();
  });

  it("T46 counts a refused payout as made if its bytes are mined after all, before its cancellation", async () => {
    const { order, hash, owner, payment } = await refuse();
    await run(3);
    expect(await rowOf(order.id)).toMatchObject({ status: "confirmed", parkedAt: expect.any(Date) });
    // A node had the payment anyway.
    w.usdt.faults.refused.clear();
    await w.usdt.broadcast(payment?.prepared as PreparedPayment);
    await run(6);
    expect(await rowOf(order.id)).toMatchObject({
      ...{ hash, status: "confirmed", parkedAt: null, cancellation: null, missingSince: null },
      settledAt: expect.any(Date),
    });
    expect((await w.see(owner, order.id)).status).toBe("completed");
    expect(paidTo(order.deliveryAddress)).toHaveLength(1);
    expect((await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === order.id)).toEqual([]);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });

  it("T60 sends cancellations again that a reorg removed, because later payments wait for their nonces", async () => {
    const refused = [await refuse(), await refuse()];
    await run(8);
    const hashes = refused.map(({ hash }) => `cancel-${hash}`);
    const states = () =>
      Promise.all(
        refused.map(async ({ payment }, i) => {
          const cancellation = { ...(payment?.prepared as PreparedPayment), hash: hashes[i] ?? "" };
          return (await w.usdt.getPaymentState(cancellation)).kind;
        }),
      );
    expect(await states()).toEqual(["in_block", "in_block"]);
    await switchOn(w.ctx.db, "swaps");
    user = await w.createUser();
    const later = await complete();
    for (const hash of [...hashes, later.hash]) w.usdt.loseFromChain(hash);
    expect(await states()).toEqual(["unknown", "unknown"]);
    await run(2);
    expect(await states()).toEqual(["in_block", "in_block"]);
    expect(paidTo(later.order.deliveryAddress)).toHaveLength(1);
    w.usdt.faults.refused.clear();
  });
});
