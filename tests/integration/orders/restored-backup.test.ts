import { eq, type SQL, sql } from "drizzle-orm";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { findCaller } from "~/exchange.server/accounts/find-caller";
import { refreshSession } from "~/exchange.server/accounts/refresh-session";
import { openSession } from "~/exchange.server/accounts/sessions";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { queryRows } from "~/exchange.server/db/database";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { walletHistories } from "~/exchange.server/db/schema/history";
import { type OrderRow, orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { checkHistory } from "~/exchange.server/payments/history/check-history";
import { skipFundingIndexesOfRestored } from "~/exchange.server/payments/history/funding-indexes";
import { acceptPayment } from "~/exchange.server/payments/history/possible-duplicates";
import { markPlannedPaid } from "~/exchange.server/payments/mark-paid";
import { retryParked } from "~/exchange.server/payments/parked/decide-parked";
import { parkPayment } from "~/exchange.server/payments/parked/park";
import { getOffReason, switchOff } from "~/exchange.server/switches/switches";
import { formatAmount } from "~/lib/money";
import { createTestContext } from "../../support/context";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { createTestPostgres } from "../../support/postgres";
import { switchOn } from "../../support/switch-on";
import {
  closeDatabase,
  compare,
  compareAtStart,
  copyDatabase,
  nameOf,
  openDatabase,
  openEmptyDatabase,
  operateOn,
  paidTo,
  runOnServer,
} from "./backups";

const assets = ["USDT", "MOB"] as const;

const readNumbers = (w: OrdersHarness) =>
  queryRows<{ last: string }>(w.ctx.db, sql`select last_value::text as last from orders_number_seq`);

/** A log, and what is written to it from a level on. */
function captureLog(level: "warn" | "fatal") {
  const lines: unknown[] = [];
  return { log: pino({ level }, { write: (line) => lines.push(JSON.parse(line)) }), lines };
}

/**
 * Backs up an exchange with one order in each direction that waits for its deposit, before its first
 * payment, perhaps with payments switched off. Then both are paid, and the backup is restored: the exchange starts with
 * it, or a failover loses the commits since while the exchange keeps running.
 */
async function restore({ arePaymentsOff = false, isFailover = false } = {}) {
  const url = await createTestPostgres();
  const original = await openDatabase(url);
  const { fakes } = createTestContext(original);
  await compareAtStart(original, fakes);
  const before = await createOrdersHarness(original, { fakes });
  const user = await before.createUser();
  const orders = { MOB: await before.lock(user, "USDT", "100"), USDT: await before.lock(user, "MOB", "100") };
  const at = await before.ctx.clock.now(original.db);
  const names = ["payments", "swaps"] as const;
  if (arePaymentsOff)
    for (const name of names) await switchOff(original.db, name, { reason: "A backup is taken.", at });
  await closeDatabase();
  const backupUrl = await copyDatabase(url);

  const continued = await openDatabase(url);
  for (const name of names) await switchOn(continued.db, name);
  const w1 = await createOrdersHarness(continued, { fakes });
  fakes.USDT.deposit(orders.MOB.fundingAddress, orders.MOB.sourceAmount);
  fakes.MOB.deposit(orders.USDT.fundingAddress, orders.USDT.sourceAmount);
  await w1.settle();
  await compare(w1, false);
  expect(await getOffReason(w1.ctx.db, "payments"), "the original knows its payments").toBeNull();
  const lost = await w1.lock(user, "USDT", "50");

  const backup = await openDatabase(backupUrl);
  if (!isFailover) await compareAtStart(backup, fakes);
  const w = await createOrdersHarness(backup, { fakes });
  const operate = operateOn(backupUrl, w.ctx);
  return { w, user, orders, lost, operate };
}

/** A restored backup whose operator switches everything on without having compared the payments. */
async function restoreCarelessly() {
  const restored = await restore();
  const { w, operate } = restored;
  await w.settle();
  expect(await operate("accept-nonce 1")).toMatchObject({ exitCode: 0 });
  for (const name of ["payments", "swaps"]) await operate(`on ${name} --all`);
  await w.settle();
  return restored;
}

describe("a backup from before the first payment", () => {
  it("is detected before anything is paid, on both chains, and no order is paid twice (T48)", async () => {
    const { w, user, orders, operate } = await restore();
    expect(await getOffReason(w.ctx.db, "payments")).toMatch(/Was a backup restored/);
    await expect(w.lock(user, "USDT", "50")).rejects.toMatchObject({ code: "swaps_stopped" });
    const status = (await operate("status")).stdout;
    for (const asset of assets) {
      const [payment] = paidTo(w, orders[asset].deliveryAddress);
      expect(status.join("\n")).toContain(`(${payment?.hash}), but the payment is not in this database`);
    }

    // Even if payments are switched on too early, a payment that may already have been made waits.
    await w.settle();
    expect((await operate("accept-nonce 1")).exitCode).toBe(0);
    const refused = await operate("on payments");
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("unknown:") });
    await operate("on payments --all");
    await operate("on swaps --all");
    await w.settle();
    for (const asset of assets) {
      expect(paidTo(w, orders[asset].deliveryAddress)).toHaveLength(1);
      expect((await w.see(user, orders[asset].id)).status).toBe("paying_out");
      const line = (await operate("status")).stdout.find(
        (one) => one.includes(`of order`) && one.includes(orders[asset].id),
      );
      expect(line).toContain("a payment of the same amount to the same address");
      // The network fee of USDT is paid in ether, which is not in the books.
      expect(line?.includes(`with "operate float MOB -FEE"`)).toBe(asset === "MOB");
      const [, id, hash] = /run "operate mark-paid (\S+) (\S+)"/.exec(line ?? "") ?? [];
      expect(await operate(`mark-paid ${id} ${hash}`)).toMatchObject({ exitCode: 0 });
      expect((await w.see(user, orders[asset].id)).status).toBe("completed");
    }
    await compare(w, false);
    expect((await operate("status")).stdout.filter((line) => line.startsWith("waiting:"))).toEqual([]);
    expect(await getOffReason(w.ctx.db, "payments")).toBeNull();

    const next = await w.lock(user, "USDT", "20");
    w.usdt.deposit(next.fundingAddress, 20_000_000n);
    await w.settle();
    expect((await w.see(user, next.id)).status).toBe("completed");
  });

  it("keeps an operator from paying or refunding again what an unknown payment may have paid (T48)", async () => {
    const { w, user, orders, operate } = await restoreCarelessly();
    const { id, accountId, deliveryAddress } = orders.MOB;
    const [parked] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, id));
    expect(parked).toMatchObject({ status: "planned", parkedAt: expect.any(Date) });
    const saved = { address: "another", canonical: "another", type: "ETH" as const };
    const createdAt = await w.ctx.clock.now(w.ctx.db);
    await w.ctx.db.insert(deliveryAddresses).values({ ...saved, id: "another", accountId, label: "", createdAt });
    expect(await operate(`readdress ${parked?.id} another`)).toMatchObject({ exitCode: 1 });
    expect(await operate(`refund ${id}`)).toMatchObject({ exitCode: 1 });
    await w.settle();
    expect(paidTo(w, "another")).toHaveLength(0);
    // Once the operator has found out that it was for something else, both are possible again.
    for (const { hash } of paidTo(w, deliveryAddress))
      await operate(`accept-payment ${hash.replace(/^0x/, "")} --force`);
    expect(await operate(`refund ${id}`)).toMatchObject({ exitCode: 0 });
    expect((await w.see(user, id)).status).toBe("refunding");
  });

  it("does not refund an order on hold whose payout may have been made, and ends the hold when that is certain (T48)", async () => {
    const { w, user, orders, operate } = await restoreCarelessly();
    const { id, deliveryAddress, refundAddress } = orders.MOB;
    const [parked] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, id));
    const sent = paidTo(w, refundAddress).length;
    expect(await operate(`hold ${id} We are checking this swap.`)).toMatchObject({ exitCode: 0 });
    expect(await operate(`refund ${id}`)).toMatchObject({ exitCode: 1 });
    w.wait(73 * 3_600_000);
    await w.settle();
    expect((await w.see(user, id)).status).toBe("on_hold");
    const [paid] = paidTo(w, deliveryAddress);
    expect(await operate(`mark-paid ${parked?.id} ${paid?.hash}`)).toMatchObject({ exitCode: 0 });
    await w.settle();
    expect((await w.see(user, id)).status).toBe("completed");
    expect(paidTo(w, deliveryAddress)).toHaveLength(1);
    expect(paidTo(w, refundAddress), "no refund").toHaveLength(sent);
  });

  it.each([false, true])(
    "does not give out a lost order's funding address again; payments off in the backup: %s (T48)",
    async (off) => {
      const { w, user, lost, operate } = await restore({ arePaymentsOff: off });
      for (const name of ["payments", "swaps"] as const)
        expect(await getOffReason(w.ctx.db, name)).toMatch(/Was a backup restored/);
      for (const { hash } of [...w.usdt.paid, ...w.mob.paid]) {
        const { stdout } = await operate(`accept-payment ${hash} --force`);
        expect(stdout.join()).toMatch(/^accepted: [0-9.]+ (USDT|MOB) to .*"operate float (USDT|MOB) -[0-9.]+"/);
        expect(stdout.join().includes('"operate float MOB -FEE"')).toBe(/ MOB to /.test(stdout.join()));
        expect((await operate(`accept-payment ${hash} --force`)).exitCode, "it is accounted for").toBe(1);
      }
      expect((await operate("accept-nonce 1")).exitCode).toBe(0);
      for (const name of ["payments", "swaps"]) await operate(`on ${name}`);
      await compare(w, true);
      expect(await getOffReason(w.ctx.db, "payments"), "nothing new was found").toBeNull();
      const order = await w.lock(user, "USDT", "50");
      expect(order.fundingIndex).toBeGreaterThan(lost.fundingIndex + 1_000);
      expect(order.fundingAddress).not.toBe(lost.fundingAddress);
    },
  );
});

it("pays nothing twice after a failover that lost commits, before the payments are compared (T48)", async () => {
  const { w, orders } = await restore({ isFailover: true });
  await w.settle();
  for (const asset of assets) expect(paidTo(w, orders[asset].deliveryAddress)).toHaveLength(1);
  expect(await getOffReason(w.ctx.db, "payments")).toMatch(/Was a backup restored/);
});

it("stops payments because of an unknown MOB payment, even while Ethereum is unreachable (T48)", async () => {
  const w = await createOrdersHarness(await openEmptyDatabase());
  await compare(w, true);
  const unknown = { paymentId: "unknown", to: "a forgotten customer", amount: 7n, nonce: null };
  await w.mob.broadcast(await w.mob.preparePayment(unknown));
  w.usdt.listOutgoing = async () => {
    throw new Error("No node responds.");
  };
  const run = (job: string) =>
    createJobs(w.ctx)
      .find(({ name }) => name === job)
      ?.run();
  await expect(run("check-history-ethereum")).rejects.toThrow("No node responds.");
  await run("check-history-mobilecoin");
  expect(await getOffReason(w.ctx.db, "payments")).toMatch(
    /^Our MOB wallet has made payments that are not in this database/,
  );
});

it("finds an unknown payment in the last part of what can be read, and reads every block once (T48)", async () => {
  const w = await createOrdersHarness(await openEmptyDatabase());
  await compare(w, true);
  w.mob.mine(30);
  await w.mob.broadcast(await w.mob.preparePayment({ paymentId: "unknown", to: "somebody", amount: 7n, nonce: null }));
  const { listOutgoing } = w.mob;
  const parts: number[][] = [];
  w.mob.listOutgoing = async (range) => {
    const all = await listOutgoing(range);
    const through = Math.min((range.from ?? 0) + 9, all.head);
    parts.push([range.from ?? 0, through]);
    return { ...all, through, payments: through === all.head ? all.payments : [] };
  };
  const { through, isComplete } = await checkHistory(w.ctx, "MOB", { isThorough: false });
  expect(isComplete).toBe(true);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.at(-1)?.[1]).toBe(through);
  expect(parts.slice(1).map(([from]) => from)).toEqual(parts.slice(0, -1).map(([, end = 0]) => end + 1));
  expect(await getOffReason(w.ctx.db, "payments")).toMatch(
    /^Our MOB wallet has made payments that are not in this database/,
  );
});

it("reports an unexpected nonce and skips funding indexes for it once, however often it is checked (T48)", async () => {
  const { log, lines } = captureLog("fatal");
  const w = await createOrdersHarness(await openEmptyDatabase(), { log });
  await compare(w, true);
  const [before] = await readNumbers(w);
  w.usdt.getNextNonce = async () => 7;
  await compare(w, false);
  const [skipped] = await readNumbers(w);
  expect(Number(skipped?.last)).toBeGreaterThan(Number(before?.last) + 9_999);
  await compare(w, false);
  expect(await readNumbers(w)).toEqual([skipped]);
  expect(lines).toMatchObject([{ reason: await getOffReason(w.ctx.db, "payments") }]);
  w.usdt.getNextNonce = async () => 8;
  await compare(w, false);
  expect(await getOffReason(w.ctx.db, "payments")).toMatch(/^The USDT signer [^"]* "operate accept-nonce 8"/);
});

it("keeps an operator's reason through a stop, and a stop through an operator's reason (T48)", async () => {
  const { log, lines } = captureLog("fatal");
  const url = await createTestPostgres();
  const w = await createOrdersHarness(await openDatabase(url), { log });
  const operate = operateOn(url, w.ctx);
  await compare(w, true);
  const [bank, key] = ["A question from the bank.", "The payout key may have leaked."];
  await operate(`off payments ${bank}`);
  w.usdt.getNextNonce = async () => 7;
  await compare(w, false);
  const skipped = await readNumbers(w);
  await operate(`off payments ${key}`);
  await compare(w, false);
  expect(await readNumbers(w)).toEqual(skipped);
  expect(lines).toMatchObject([{ reason: expect.stringContaining("accept-nonce 7") }]);
  const [{ reason: stop }] = lines as [{ reason: string }];
  expect((await operate("status")).stdout[1]).toBe(`payments: ${bank} ${stop} ${key}`);
  const ended = (await operate("on payments")).stdout;
  expect(ended.sort()).toEqual(["Done.", `ended: ${bank}`, `ended: ${key}`, `ended: ${stop}`].sort());
});

describe("a planned payment that the wallet may have made already", () => {
  /** Two orders of the same amount, and a way to pay one of them without a record of it in this database. */
  async function planTwo() {
    const w = await createOrdersHarness(await openEmptyDatabase());
    await compare(w, true);
    const orders = [];
    for (let i = 0; i < 2; i += 1) {
      const order = await w.lock(await w.createUser(), "USDT", "100");
      w.usdt.deposit(order.fundingAddress, order.sourceAmount);
      orders.push(order);
    }
    w.usdt.mine(3);
    await w.scan("USDT");
    const [first, second] = orders;
    if (!first || !second) throw new Error("two orders");
    const rowOf = async ({ id }: OrderRow) => {
      const [row] = await w.ctx.db.select().from(payments).where(eq(payments.orderId, id));
      if (!row) throw new Error("no payment");
      return row;
    };
    const payForgotten = async ({ deliveryAddress: to, targetAmount: amount }: OrderRow) => {
      const forgotten = await w.mob.preparePayment({ paymentId: "forgotten", to, amount, nonce: null });
      await w.mob.broadcast(forgotten);
      await compare(w, false);
      return forgotten.hash;
    };
    const hash = await payForgotten(first);
    const doubt = { status: "planned", parkedAt: expect.any(Date), lastError: expect.stringContaining(hash) };
    for (const order of orders) expect(await rowOf(order)).toMatchObject(doubt);
    const bookFirst = async () => {
      const { id: paymentId } = await rowOf(first);
      await w.ctx.db.transaction((tx) => markPlannedPaid(tx, w.ctx, { paymentId, hash }));
    };
    const resume = async () => {
      await switchOn(w.ctx.db, "payments");
      await w.settle();
    };
    return { w, first, second, hash, doubt, rowOf, payForgotten, bookFirst, resume };
  }

  it("is made automatically once the unknown payment turns out to be another one (T48)", async () => {
    const { w, first, second, rowOf, bookFirst, resume } = await planTwo();
    await bookFirst();
    await compare(w, false);
    expect(await rowOf(second)).toMatchObject({ status: "planned", parkedAt: null, lastError: null });
    await resume();
    for (const { deliveryAddress } of [first, second]) expect(paidTo(w, deliveryAddress)).toHaveLength(1);
  });

  it("stays parked if another unknown payment may be the same one, or for another reason (T48)", async () => {
    const { w, second, rowOf, payForgotten, bookFirst, resume } = await planTwo();
    const parked = await rowOf(second);
    const other = await payForgotten(second);
    await bookFirst();
    await compare(w, false);
    const { parkedAt } = parked;
    expect(await rowOf(second)).toMatchObject({ parkedAt, lastError: expect.stringContaining(other) });
    const reason = "An operator is looking at it.";
    await parkPayment(w.ctx, parked, { reason, action: "Wait." });
    await acceptPayment(w.ctx.db, other, await w.ctx.clock.now(w.ctx.db));
    await compare(w, false);
    await resume();
    expect(await rowOf(second)).toMatchObject({ status: "planned", parkedAt, lastError: reason });
    expect(paidTo(w, second.deliveryAddress)).toMatchObject([{ hash: other }]);
  });

  it("is not booked with the transaction of another one, which would then be made again (T48)", async () => {
    const { w, first, second, hash, rowOf, payForgotten, resume } = await planTwo();
    const other = await payForgotten(second);
    const book = async (order: OrderRow, made: string) => {
      const { id: paymentId } = await rowOf(order);
      await w.ctx.db.transaction((tx) => markPlannedPaid(tx, w.ctx, { paymentId, hash: made }));
    };
    const { id } = await rowOf(second);
    await expect(book(first, other)).rejects.toMatchObject({
      code: "invalid",
      message: `${other} has the amount and the address of payment ${id}: book it for that one, which would otherwise be made again.`,
    });
    await book(second, other);
    await book(first, hash);
    await compare(w, false);
    await resume();
    for (const order of [first, second]) {
      expect(await rowOf(order)).toMatchObject({ status: "confirmed" });
      expect(paidTo(w, order.deliveryAddress)).toHaveLength(1);
    }
  });

  it("is not booked with a payment of the same amount to another address, unless forced (T48)", async () => {
    const { w, first, second, hash, rowOf } = await planTwo();
    const { id: paymentId, lastError, amount } = await rowOf(second);
    expect(lastError).toContain(`a payment of the same amount, but to ${first.deliveryAddress}`);
    await w.ctx.db
      .update(payments)
      .set({ status: "failed" })
      .where(eq(payments.id, (await rowOf(first)).id));
    const book = (isForced: boolean) =>
      w.ctx.db.transaction((tx) => markPlannedPaid(tx, w.ctx, { paymentId, hash, isForced }));
    const paid = formatAmount(amount, "MOB");
    await expect(book(false)).rejects.toMatchObject({
      code: "invalid",
      message: `${hash} has paid ${paid} MOB to ${first.deliveryAddress}, but this payment is ${paid} MOB to ${second.deliveryAddress}. If you are sure that it was this payment, add --force.`,
    });
    expect(await rowOf(second)).toMatchObject({ status: "planned", hash: null });
    await book(true);
    expect(await rowOf(second)).toMatchObject({ status: "confirmed", hash });
  });

  it.each([
    ["was made", "completed"],
    ["was not", "awaiting_deposit"],
  ])(
    "is not withdrawn while its deposit has left the chain, until it is known that it %s (T48 T50)",
    async (made, status) => {
      const { w, first, hash, doubt, rowOf, bookFirst } = await planTwo();
      const [deposit] = await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, first.id));
      w.usdt.reorgAway(deposit?.txHash ?? "");
      await w.scan("USDT");
      expect(await rowOf(first)).toMatchObject(doubt);
      const stateOf = async () => {
        const [order] = await w.ctx.db.select().from(orders).where(eq(orders.id, first.id));
        const [alert] = (await listAlerts(w.ctx.db)).filter(({ subject }) => subject === `deposit:${deposit?.id}`);
        return [order?.status, alert?.reason];
      };
      const lost = (paid: string) => `A reorg removed a deposit of 100 USDT that ${paid}`;
      const perhaps =
        "may have been paid out already: our wallet has made a payment that is missing from this database.";
      expect(await stateOf()).toEqual(["paying_out", lost(perhaps)]);
      if (made === "was made") await bookFirst();
      else await acceptPayment(w.ctx.db, hash, await w.ctx.clock.now(w.ctx.db));
      w.usdt.mine();
      await w.scan("USDT");
      const dropped = expect.stringContaining("Nothing was paid with it");
      expect(await stateOf()).toEqual([status, made === "was made" ? lost("was already paid out.") : dropped]);
      expect(await checkBooks(w.ctx.db)).toEqual([]);
    },
  );

  it("is not said to be made while its deposit is in another block (T48 T50)", async () => {
    const { w, first } = await planTwo();
    const [deposit] = await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, first.id));
    const txHash = deposit?.txHash ?? "";
    w.usdt.reorgAway(txHash);
    await w.scan("USDT");
    w.usdt.deposit(first.fundingAddress, first.sourceAmount, { txHash });
    await w.scan("USDT");
    const alert = (await listAlerts(w.ctx.db)).find(({ subject }) => subject === `deposit:${deposit?.id}`);
    expect(alert?.reason).toMatch(
      /^A reorg removed a deposit of 100 USDT that may have been paid out already\. It is in block \d+ now\.$/,
    );
  });

  it("waits to be retried even after an operator has accounted for the unknown payment (T48)", async () => {
    const { w, second, hash, doubt, rowOf, resume } = await planTwo();
    await acceptPayment(w.ctx.db, hash, await w.ctx.clock.now(w.ctx.db));
    await compare(w, false);
    await resume();
    const parked = await rowOf(second);
    expect(parked).toMatchObject(doubt);
    await w.ctx.db.transaction((tx) => retryParked(tx, w.ctx, parked.id));
    await resume();
    expect(paidTo(w, second.deliveryAddress)).toHaveLength(1);
  });
});

it("skips funding indexes, and says so, when the tables have changed since the last start (T48)", async () => {
  const database = await openEmptyDatabase();
  const { log, lines } = captureLog("warn");
  const { ctx } = createTestContext(database, { log });
  const w = await createOrdersHarness(database);
  await checkHistory(ctx, "USDT", { isThorough: true });
  const user = await w.createUser();
  await skipFundingIndexesOfRestored(ctx);
  const { fundingIndex } = await w.lock(user, "USDT", "50");
  await ctx.db.update(walletHistories).set({ databaseId: "the server of the backup" });
  await skipFundingIndexesOfRestored(ctx);
  await skipFundingIndexesOfRestored(ctx);
  const back = await w.signIn(user);
  const skipped = await w.lock(back, "USDT", "50");
  expect(skipped.fundingIndex).toBeGreaterThan(fundingIndex + 10_000);
  expect((await w.lock(back, "USDT", "50")).fundingIndex).toBe(skipped.fundingIndex + 1);
  expect(lines).toMatchObject([{ msg: expect.stringContaining("funding indexes are skipped") }]);

  // Right away, the count of seconds is no higher than the last index, so 10,000 indexes are skipped.
  await ctx.db.update(walletHistories).set({ databaseId: "the server of the backup" });
  await skipFundingIndexesOfRestored(ctx);
  expect((await w.lock(await w.signIn(user), "USDT", "50")).fundingIndex).toBeGreaterThan(
    skipped.fundingIndex + 10_000,
  );
});

it("signs everyone out when a backup was restored, because sessions that were ended since are open again (T48)", async () => {
  const database = await openEmptyDatabase();
  const w = await createOrdersHarness(database);
  const { ctx } = w;
  await checkHistory(ctx, "USDT", { isThorough: true });
  const { accountId } = await w.createUser();
  await skipFundingIndexesOfRestored(ctx);
  const now = await ctx.clock.now(ctx.db);
  const session = { accountId, method: "passkey", passkeyAt: now, passkeyId: null, userAgent: null } as const;
  const tokens = await openSession(ctx.db, ctx, session, now);
  await skipFundingIndexesOfRestored(ctx);
  expect(await findCaller(ctx, tokens.access_token), "after an ordinary start").toMatchObject({ accountId });
  await ctx.db.update(walletHistories).set({ databaseId: "the server of the backup" });
  await skipFundingIndexesOfRestored(ctx);
  expect(await findCaller(ctx, tokens.access_token)).toBeNull();
  await expect(refreshSession(ctx, tokens.refresh_token ?? "")).rejects.toMatchObject({ code: "refresh_invalid" });
});

it("warns at startup that a database restored to another server would go unnoticed, if the role may not identify the server", async () => {
  const database = await openEmptyDatabase();
  const { log, lines } = captureLog("warn");
  const { ctx } = createTestContext(database, { log });
  await skipFundingIndexesOfRestored(ctx);
  expect(lines).toEqual([]);
  const db = new Proxy(ctx.db, {
    get: (target, key) =>
      key === "execute"
        ? async (query: SQL) => {
            if (JSON.stringify(query.queryChunks).includes("pg_control"))
              throw Object.assign(new Error("permission denied"), { code: "42501" });
            return target.execute(query);
          }
        : Reflect.get(target, key, target),
  });
  await skipFundingIndexesOfRestored({ ...ctx, db });
  expect(lines).toMatchObject([{ msg: expect.stringContaining("pg_control_checkpoint") }]);
});

describe("a backup that is a copy of the database", () => {
  /** Locks one order after the backup was taken, then restores it and starts the exchange. */
  async function forget(asset: "USDT" | "MOB", startedAs: (databaseId: string) => string | null = (id) => id) {
    const url = await createTestPostgres();
    const original = await openDatabase(url);
    const { fakes } = createTestContext(original);
    const start = async (database: OpenDatabase) => {
      const { ctx } = createTestContext(database, { fakes });
      await skipFundingIndexesOfRestored(ctx);
      await compare({ ctx }, true);
      return createOrdersHarness(database, { fakes });
    };
    const user = await (await start(original)).createUser();
    const [history] = await original.db.select().from(walletHistories);
    await original.db.update(walletHistories).set({ databaseId: startedAs(history?.databaseId ?? "") });
    await closeDatabase();
    const backupUrl = await copyDatabase(url);
    const continued = await openDatabase(url);
    const forgotten = await (await start(continued)).lock(user, asset, "50");
    await closeDatabase();
    return { url, backupUrl, forgotten, user, start };
  }

  it("skips the funding indexes of lost orders (T48)", async () => {
    const { url, backupUrl, forgotten, user, start } = await forget("USDT");
    await runOnServer(`drop database ${nameOf(url)}`, `create database ${nameOf(url)} template ${nameOf(backupUrl)}`);
    const w = await start(await openDatabase(url));
    const order = await w.lock(await w.signIn(user), "USDT", "50");
    expect(order.fundingIndex).toBeGreaterThan(forgotten.fundingIndex + 1_000);
    expect(order.fundingAddress).not.toBe(forgotten.fundingAddress);
  });

  it("stops if MobileCoin's wallet has given an address to an order that it does not know (T48)", async () => {
    // Nothing else shows that this is a copy.
    const { backupUrl, forgotten, user, start } = await forget("MOB", () => null);
    const database = await openDatabase(backupUrl);
    const w = await start(database);
    const reason = await getOffReason(w.ctx.db, "payments");
    expect(reason).toContain(`funding index ${forgotten.fundingIndex}, which this database has not given out`);
    await expect(w.lock(user, "USDT", "50")).rejects.toMatchObject({ code: "swaps_stopped" });
    // Once an operator has switched them on again, the next start finds nothing new.
    for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name);
    const again = await start(database);
    expect(await getOffReason(again.ctx.db, "payments")).toBeNull();
    expect((await again.lock(user, "USDT", "50")).fundingIndex).toBeGreaterThan(forgotten.fundingIndex + 1_000);
  });
});

it("does not mistake an index that a failed lock has used up for a lost order's (T48)", async () => {
  const database = await openEmptyDatabase();
  const { ctx, fakes } = createTestContext(database);
  const w = await createOrdersHarness(database, { fakes });
  await compare({ ctx }, true);
  const user = await w.createUser();
  const assign = fakes.MOB.assignFundingAddress;
  fakes.MOB.assignFundingAddress = async (order) => {
    await assign(order);
    throw new Error("the response is lost");
  };
  await expect(w.lock(user, "MOB", "100")).rejects.toMatchObject({ code: "swaps_stopped" });
  expect(await fakes.MOB.getNewestFundingIndex()).toBeGreaterThan(0);
  await compare({ ctx }, true);
  expect(await getOffReason(ctx.db, "payments")).toBeNull();
});

it.each([
  ["less about it", (id: string) => id.replace(/:\d+$/, "")],
  ["nothing about it", () => null],
])("skips no indexes when an earlier version has stored %s", async (_, toEarlier) => {
  const database = await openEmptyDatabase();
  const w = await createOrdersHarness(database);
  await checkHistory(w.ctx, "USDT", { isThorough: true });
  const user = await w.createUser();
  const { fundingIndex } = await w.lock(user, "USDT", "50");
  const [history] = await w.ctx.db.select().from(walletHistories);
  const databaseId = history?.databaseId ?? "";
  expect(toEarlier(databaseId)).not.toBe(databaseId);
  await w.ctx.db.update(walletHistories).set({ databaseId: toEarlier(databaseId) });
  await skipFundingIndexesOfRestored(w.ctx);
  expect((await w.ctx.db.select().from(walletHistories)).map((row) => row.databaseId)).toEqual([databaseId]);
  expect((await w.lock(user, "USDT", "50")).fundingIndex).toBe(fundingIndex + 1);
});

it("skips other funding indexes when the same backup is restored again (T48)", async () => {
  const database = await openEmptyDatabase();
  const w = await createOrdersHarness(database);
  await checkHistory(w.ctx, "USDT", { isThorough: true });
  const user = await w.createUser();
  const restoreAndLock = async () => {
    await w.ctx.db.execute(sql`select setval('orders_number_seq', 1)`);
    await w.ctx.db.update(walletHistories).set({ databaseId: "the server of the backup" });
    await skipFundingIndexesOfRestored(w.ctx);
    await w.tick();
    const back = await w.signIn(user);
    return [await w.lock(back, "USDT", "50"), await w.lock(back, "USDT", "50")].map((order) => order.fundingAddress);
  };
  const first = await restoreAndLock();
  w.wait(61_000);
  const second = await restoreAndLock();
  expect(new Set([...first, ...second]).size).toBe(4);
});
