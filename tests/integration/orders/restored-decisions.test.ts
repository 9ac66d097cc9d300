import { eq, sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import { unknownPayments } from "~/exchange.server/db/schema/history";
import { orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { external, fees, getBalance } from "~/exchange.server/ledger/ledger";
import { refundSetAside } from "~/exchange.server/orders/payouts-and-refunds/refund-set-aside";
import { getOffReason } from "~/exchange.server/switches/switches";
import { addMs, hourMs } from "~/lib/durations";
import { toOrderNumber } from "~/lib/order-number";
import { createTestContext } from "../../support/context";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { createTestPostgres } from "../../support/postgres";
import {
  closeDatabase,
  compare,
  compareAtStart,
  copyDatabase,
  openDatabase,
  openEmptyDatabase,
  operateOn,
  paidTo,
} from "./backups";

/** Scans that find nothing are stored at most this often. */
const storeQuietMs = 5_000;

/** An exchange before its backup is made, with a user. */
async function openOriginal() {
  const url = await createTestPostgres();
  const original = await openDatabase(url);
  const { fakes, advance: advanceChains } = createTestContext(original);
  await compareAtStart(original, fakes);
  const before = await createOrdersHarness(original, { fakes });
  return { url, original, fakes, advanceChains, before, user: await before.createUser() };
}

/**
 * Backs up an exchange with an order of 100 USDT that has received 60 and waits for its owner's decision. Then the
 * owner decides, the order is paid, and the backup is restored: at a start, or by a failover while the exchange runs.
 */
async function forget(choice: "accept" | "refund", { isFailover = false } = {}) {
  const { url, fakes, advanceChains, before, user } = await openOriginal();
  const order = await before.lock(user, "USDT", "100");
  const deposit = fakes.USDT.deposit(order.fundingAddress, 60_000_000n);
  await before.settle();
  expect((await before.see(user, order.id)).status).toBe("needs_decision");
  await closeDatabase();
  const backupUrl = await copyDatabase(url);

  const continued = await createOrdersHarness(await openDatabase(url), { fakes });
  await continued.decide(user, order.id, { choice });
  await continued.settle();
  const made = choice === "accept" ? paidTo(continued, order.deliveryAddress) : paidTo(continued, order.refundAddress);
  expect(made).toHaveLength(1);

  const backup = await openDatabase(backupUrl);
  if (!isFailover) await compareAtStart(backup, fakes);
  const w = await createOrdersHarness(backup, { fakes });
  const operate = operateOn(backupUrl, w.ctx);
  const resume = async () => {
    if (choice === "refund") await operate("accept-nonce 1");
    for (const name of ["payments", "swaps"]) expect(await operate(`on ${name} --all`)).toMatchObject({ exitCode: 0 });
    await w.settle();
  };
  const readAlert = async () =>
    (await operate("status")).stdout.find((line) => line.startsWith("waiting: payment") && line.includes(order.id)) ??
    "";
  const wait = (ms: number) => {
    advanceChains(ms);
    w.wait(ms);
  };
  return { w, user, order, deposit, hash: made[0]?.hash ?? "", operate, resume, readAlert, wait };
}

const findPayments = (w: OrdersHarness, orderId: string) =>
  w.ctx.db.select().from(payments).where(eq(payments.orderId, orderId));

describe("a decision that was lost when a backup was restored", () => {
  it("is reported with the order that the unknown payment may be for (T48)", async () => {
    const { order, hash, operate } = await forget("accept");
    const lines = (await operate("status")).stdout.join("\n");
    expect(lines).toContain(
      `It may be for an order of that address: ${toOrderNumber(order.quoteId)} (${order.id}, needs_decision).`,
    );
    expect(lines).toContain(`"operate mark-paid-out ORDER ${hash}"`);
  });

  it.each(["the owner", "the deadline"])(
    "is not followed by a refund of the order that was paid out, caused by %s (T48)",
    async (by) => {
      const { w, user, order, hash, operate, resume, readAlert, wait } = await forget("accept");
      await resume();
      if (by === "the owner") await w.decide(user, order.id, { choice: "refund" });
      else wait(73 * 3_600_000);
      await w.settle();
      expect((await w.see(user, order.id)).status).toBe("refunding");
      expect(paidTo(w, order.refundAddress)).toHaveLength(0);
      const [, command] = /already \(.*\)\. If so, run "operate ([^"]+)"/.exec(await readAlert()) ?? [];
      expect(command).toBe(`mark-paid-out ${order.id} ${hash}`);
      expect(await operate(command ?? "")).toMatchObject({ exitCode: 0 });
      await resume();
      const { status, outgoing_txs: sent } = await w.see(user, order.id);
      expect(status).toBe("completed");
      expect(sent.filter((tx) => tx.status === "confirmed")).toMatchObject([{ asset_symbol: "MOB" }]);
      expect(paidTo(w, order.refundAddress)).toHaveLength(0);
      expect(paidTo(w, order.deliveryAddress)).toHaveLength(1);
      await compare(w, false);
      expect((await operate("status")).stdout.filter((line) => line.startsWith("waiting:"))).toEqual([]);
      expect(await operate(`mark-paid-out ${order.id} ${hash}`), "once").toMatchObject({ exitCode: 1 });
    },
  );

  it.each(["that waits for a decision", "on hold"])("has a payout to book for an order %s (T48)", async (state) => {
    const { w, user, order, hash, operate } = await forget("accept");
    await w.settle();
    if (state === "on hold") await operate(`hold ${order.id} We are checking this swap.`);
    expect(await operate(`mark-paid-out ${order.id} ${hash.replace(/.$/, "x")}`)).toMatchObject({ exitCode: 1 });
    expect(await operate(`mark-paid-out ${order.id} ${hash}`)).toMatchObject({ exitCode: 0 });
    await w.settle();
    // 60 USDT became 170.571428571377 MOB, fee included.
    expect(await w.see(user, order.id)).toMatchObject({ status: "completed", exchange_rate: "2.842857142856" });
    await compare(w, false);
    expect(await operate("books")).toMatchObject({ exitCode: 0 });
  });

  it("has a payout that is booked only after every deposit, because later ones are refunded too (T48)", async () => {
    const { w, user, order, hash, operate } = await forget("accept");
    const refusal = { exitCode: 1, stderr: expect.stringContaining("More deposits of this order may be credited") };
    expect(await operate(`mark-paid-out ${order.id} ${hash}`), "the chain was not read since").toMatchObject(refusal);
    w.usdt.deposit(order.fundingAddress, 40_000_000n);
    w.usdt.mine();
    await w.tick();
    expect(await operate(`mark-paid-out ${order.id} ${hash}`), "a deposit is pending").toMatchObject(refusal);
    expect(await operate(`mark-paid-out ${order.id} by-hand`)).toMatchObject({
      stderr: expect.stringContaining("HASH is not the public key of a MobileCoin output"),
    });
    await w.settle();
    expect((await w.see(user, order.id)).status).not.toBe("completed");
  });

  it("cannot be accounted for while a deposit of its order is looked for, which may still be credited (T48 T50)", async () => {
    const { w, user, order, deposit, hash, operate } = await forget("accept");
    w.wait(storeQuietMs);
    await w.settle();
    // The nodes say that it is not in a block.
    const read = { recheck: w.usdt.recheck.bind(w.usdt), scan: w.usdt.scan.bind(w.usdt) };
    const lies = [
      vi.spyOn(w.usdt, "recheck").mockImplementation(async (seen) => {
        const found = await read.recheck(seen);
        return found.map((one, index) => (seen[index]?.txHash === deposit ? null : one));
      }),
      vi.spyOn(w.usdt, "scan").mockImplementation(async (...args) => {
        const result = await read.scan(...args);
        return { ...result, transfers: result.transfers.filter(({ txHash }) => txHash !== deposit) };
      }),
    ];
    await w.settle();
    const hourAgo = sql`${orders.expiresAt} - interval '1 hour'`;
    await w.ctx.db.update(orders).set({ expiresAt: hourAgo }).where(eq(orders.id, order.id));
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("expired");
    expect(await operate(`accept-payment ${hash}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`an address of order ${order.id} (expired), and may be for that order`),
    });
    w.usdt.deposit(order.fundingAddress, 40_000_000n);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
    expect(await operate(`mark-paid-out ${order.id} ${hash}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/More deposits of this order may be credited: deposit \S+ has left the chain/),
    });
    for (const lie of lies) lie.mockRestore();
    await w.settle();
    expect(await operate(`mark-paid-out ${order.id} ${hash}`)).toMatchObject({ exitCode: 0 });
  });

  it("is noticed for a payment that is planned while the next one is being prepared (T48)", async () => {
    const { w, user, order, hash, resume } = await forget("accept");
    await resume();
    const setResolved = (resolvedAt: Date | null) =>
      w.ctx.db.update(unknownPayments).set({ resolvedAt }).where(eq(unknownPayments.hash, hash));
    await setResolved(new Date());
    await w.decide(user, order.id, { choice: "refund" });
    const { getNextNonce } = w.usdt;
    const query = vi.fn(async () => {
      // As if the refund had been planned after the others were compared.
      await setResolved(null);
      return getNextNonce();
    });
    w.usdt.getNextNonce = query;
    await w.pay("USDT");
    w.usdt.getNextNonce = getNextNonce;
    expect(query).toHaveBeenCalled();
    expect(await findPayments(w, order.id)).toMatchObject([{ status: "planned", hash: null }]);
    await w.settle();
    expect(paidTo(w, order.refundAddress)).toHaveLength(0);
  });

  it("is not followed by the payout of an order that was refunded (T48)", async () => {
    const { w, user, order, hash, operate, resume, readAlert } = await forget("refund");
    await resume();
    await w.decide(user, order.id, { choice: "accept" });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    expect(await readAlert()).toContain(`may have refunded its order already (${hash})`);
    expect(await operate(`refund ${order.id}`)).toMatchObject({ exitCode: 0 });
    await w.settle();
    const refund = (await findPayments(w, order.id)).find(
      ({ purpose, status }) => purpose === "refund" && status === "planned",
    );
    expect(await operate(`mark-paid ${refund?.id} ${hash}`)).toMatchObject({ exitCode: 0 });
    await resume();
    expect((await w.see(user, order.id)).status).toBe("refunded");
    expect(paidTo(w, order.deliveryAddress)).toHaveLength(0);
    expect(paidTo(w, order.refundAddress)).toHaveLength(1);
  });

  it("is booked with the amount that was paid if a refund had a different cost (T48)", async () => {
    const { w, user, order, hash, operate, resume } = await forget("refund");
    w.usdt.faults.paymentCost = 900_000n;
    await resume();
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    const [refund] = await findPayments(w, order.id);
    expect(refund).toMatchObject({
      amount: 59_100_000n,
      lastError: expect.stringContaining("the same address, but of"),
    });
    expect(await operate(`mark-paid ${refund?.id} ${hash}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("but this payment is 59.1 USDT to"),
    });
    const inFees = await getBalance(w.ctx.db, "USDT", fees);
    const outside = await getBalance(w.ctx.db, "USDT", external);
    expect(await operate(`mark-paid ${refund?.id} ${hash} --force`)).toMatchObject({ exitCode: 0 });
    const [paid] = paidTo(w, order.refundAddress);
    const made = paid?.amount ?? 0n;
    expect(made).toBeGreaterThan(59_100_000n);
    expect(await getBalance(w.ctx.db, "USDT", external)).toBe(outside + made);
    expect(await getBalance(w.ctx.db, "USDT", fees)).toBe(inFees - (made - 59_100_000n));
    expect(await operate("books")).toMatchObject({ exitCode: 0 });
    expect((await w.see(user, order.id)).status).toBe("refunded");
  });

  it("is not made again for money that was set aside, and cannot be accepted before it is (T48)", async () => {
    const { url, fakes, before, user } = await openOriginal();
    const order = await before.lock(user, "USDT", "100");
    fakes.USDT.faults.paymentCost = 97_500_000n;
    fakes.USDT.deposit(order.fundingAddress, 60_000_000n);
    await before.settle();
    await before.decide(user, order.id, { choice: "refund" });
    expect(await before.see(user, order.id)).toMatchObject({ status: "refunded", set_aside_amount: "60" });
    await closeDatabase();
    const backupUrl = await copyDatabase(url);

    const continued = await createOrdersHarness(await openDatabase(url), { fakes });
    const refundCheaply = async (world: OrdersHarness) => {
      fakes.USDT.faults.paymentCost = 500_000n;
      await world.tick();
      await refundSetAside(world.ctx);
      await world.settle();
    };
    await refundCheaply(continued);
    const [made] = paidTo(continued, order.refundAddress);
    fakes.USDT.faults.paymentCost = 97_500_000n;

    const backup = await openDatabase(backupUrl);
    await compareAtStart(backup, fakes);
    const w = await createOrdersHarness(backup, { fakes });
    const operate = operateOn(backupUrl, w.ctx);
    w.wait(storeQuietMs);
    await w.settle();
    expect(await operate(`accept-payment ${made?.hash}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`an address of order ${order.id} (refunded), and may be for that order`),
    });
    for (const name of ["payments", "swaps"]) await operate(`on ${name} --all`);
    await refundCheaply(w);
    const [refund] = await findPayments(w, order.id);
    expect(refund).toMatchObject({ status: "planned", parkedAt: expect.any(Date) });
    expect(await operate(`mark-paid ${refund?.id} ${made?.hash}`)).toMatchObject({ exitCode: 0 });
    await w.settle();
    expect(paidTo(w, order.refundAddress)).toHaveLength(1);
  });

  it("is followed by the opposite one once an operator has found out that the payment was for something else (T48)", async () => {
    const { w, user, order, hash, operate, resume } = await forget("accept");
    await resume();
    await w.decide(user, order.id, { choice: "refund" });
    w.wait(storeQuietMs);
    await w.settle();
    expect(await operate(`accept-payment ${hash}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`an address of order ${order.id} (refunding), and may be for that order`),
    });
    expect(await operate(`accept-payment ${hash} --force`)).toMatchObject({ exitCode: 0 });
    const [refund] = await findPayments(w, order.id);
    expect(await operate(`retry ${refund?.id}`)).toMatchObject({ exitCode: 0 });
    await w.settle();
    expect(paidTo(w, order.refundAddress)).toHaveLength(1);
  });

  it.each(["accept", "refund"] as const)(
    "is not followed by the opposite one after a failover, before the payments were compared: %s (T48)",
    async (choice) => {
      const { w, user, order } = await forget(choice, { isFailover: true });
      await w.decide(user, order.id, { choice: choice === "accept" ? "refund" : "accept" });
      await w.settle();
      expect([...paidTo(w, order.refundAddress), ...paidTo(w, order.deliveryAddress)]).toHaveLength(1);
      expect(await getOffReason(w.ctx.db, "payments")).toMatch(/Was a backup restored/);
    },
  );

  it("is not followed by the payout of a filled order that an operator had refunded before a failover (T48)", async () => {
    const { url, fakes, before, user } = await openOriginal();
    const order = await before.lock(user, "USDT", "100");
    // After an account recovery, the payout waits for an hour.
    const payoutNotBefore = addMs(await before.ctx.clock.now(before.ctx.db), hourMs);
    await before.ctx.db.update(orders).set({ payoutNotBefore }).where(eq(orders.id, order.id));
    fakes.USDT.deposit(order.fundingAddress, 100_000_000n);
    await before.settle();
    expect((await before.see(user, order.id)).status).toBe("paying_out");
    await closeDatabase();
    const backupUrl = await copyDatabase(url);

    const continued = await createOrdersHarness(await openDatabase(url), { fakes });
    const operateBefore = operateOn(url, continued.ctx);
    for (const command of ["hold", "refund"]) {
      const line = command === "hold" ? `hold ${order.id} Its account was taken over.` : `refund ${order.id}`;
      expect(await operateBefore(line)).toMatchObject({ exitCode: 0 });
    }
    await continued.settle();
    expect(paidTo(continued, order.refundAddress)).toHaveLength(1);

    // The hold and the refund are lost, and the exchange keeps running until the payout is due.
    const w = await createOrdersHarness(await openDatabase(backupUrl), { fakes });
    w.wait(hourMs);
    await w.settle();
    expect(paidTo(w, order.deliveryAddress)).toHaveLength(0);
    expect(await getOffReason(w.ctx.db, "payments")).toMatch(/Was a backup restored/);
  });

  it("is not followed by a refund of an order that had expired before its late deposit was read (T48)", async () => {
    const { url, original, fakes, before, user } = await openOriginal();
    const { id, quoteId, deliveryAddress, refundAddress, fundingAddress } = await before.lock(user, "USDT", "100");
    const hourAgo = sql`${orders.expiresAt} - interval '1 hour'`;
    await original.db.update(orders).set({ expiresAt: hourAgo }).where(eq(orders.id, id));
    await before.settle();
    expect((await before.see(user, id)).status).toBe("expired");
    await closeDatabase();
    const backupUrl = await copyDatabase(url);

    const continued = await createOrdersHarness(await openDatabase(url), { fakes });
    fakes.USDT.deposit(fundingAddress, 100_000_000n);
    await continued.settle();
    const offer = await continued.offer(id);
    await continued.decide(user, id, { choice: "requote", quote_id: offer?.id ?? 0 });
    await continued.settle();
    const [made] = paidTo(continued, deliveryAddress);
    const hash = made?.hash ?? "";

    const backup = await openDatabase(backupUrl);
    await compareAtStart(backup, fakes);
    const w = await createOrdersHarness(backup, { fakes });
    const operate = operateOn(backupUrl, w.ctx);
    const status = async () => (await operate("status")).stdout.join("\n");
    expect(await operate(`accept-payment ${hash}`), "the deposit is not read").toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("it may be for an order whose deposit is not known yet"),
    });
    w.wait(storeQuietMs);
    await w.settle();
    expect((await w.see(user, id)).status).toBe("needs_decision");
    const named = `${toOrderNumber(quoteId)} (${id}, needs_decision)`;
    expect(await status()).toContain(`It may be for an order of that address: ${named}.`);
    expect(await operate(`accept-payment ${hash}`)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`an address of order ${id} (needs_decision)`),
    });
    expect(await operate(`mark-paid-out ${id} ${hash}`)).toMatchObject({ exitCode: 0 });
    for (const name of ["payments", "swaps"]) await operate(`on ${name}`);
    await w.settle();
    expect((await w.see(user, id)).status).toBe("completed");
    expect([...paidTo(w, deliveryAddress), ...paidTo(w, refundAddress)]).toHaveLength(1);
  });

  it("waits while the other chain's payments cannot be compared, and is made afterwards (T48)", async () => {
    const w = await createOrdersHarness(await openEmptyDatabase());
    await compare(w, true);
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    const { listOutgoing } = w.mob;
    w.mob.listOutgoing = () => Promise.reject(new Error("The wallet does not respond."));
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect(await findPayments(w, order.id)).toMatchObject([
      {
        status: "planned",
        parkedAt: null,
        lastError: expect.stringContaining("payments of our MOB wallet cannot be compared"),
      },
    ]);
    w.mob.listOutgoing = listOutgoing;
    w.wait(60_000);
    await w.settle();
    expect(paidTo(w, order.refundAddress)).toHaveLength(1);
  });
});
