import { asc, eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { clearAlert, listAlerts } from "~/exchange.server/alerts/alerts";
import { payments } from "~/exchange.server/db/schema/payments";
import { refundOrder } from "~/exchange.server/orders/payouts-and-refunds/refund";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { switchOff } from "~/exchange.server/switches/switches";
import { deferred } from "../../support/deferred";
import { forAllTests } from "../../support/for-tests";
import { createOrdersHarness, openOrders, type User } from "../../support/orders-harness";
import { untilBlocked } from "../../support/postgres";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";

const usdt = (amount: number) => BigInt(amount) * 1_000_000n;

describe("T65 refunds that leave the hot wallet before the deposit is collected", () => {
  const w = forAllTests(() => openOrders("PGlite"));
  let user: User;
  beforeEach(async () => {
    user = await w.createUser();
    w.usdt.faults.blocked.clear();
  });

  const refundsOf = (order: { refundAddress: string }) =>
    w.usdt.paid.filter((p) => p.to === order.refundAddress).map((p) => p.amount);
  const alertsOf = async (order: { id: string }) =>
    (await listAlerts(w.ctx.db)).filter((alert) => alert.orderId === order.id);

  it("wait for an operator above the cap, and do not delay the payout", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, usdt(50_100));
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "completed",
      outgoing_txs: [
        { purpose: "payout", status: "confirmed" },
        { purpose: "refund", status: "pending", amount: "50000" },
      ],
    });
    expect(refundsOf(order)).toEqual([]);
    const [alert] = await alertsOf(order);
    expect(alert?.reason).toContain("The refund of 50000 USDT waits.");

    // What `operate retry` does once the deposit is collected.
    await w.ctx.db.update(payments).set({ parkedAt: null }).where(eq(payments.orderId, order.id));
    await clearAlert(w.ctx.db, alert?.subject ?? "");
    await w.settle();
    expect(refundsOf(order)).toEqual([usdt(50_000)]);
  });

  it("are named in the alert without the cost that is kept", async () => {
    w.usdt.faults.paymentCost = 450_000n;
    await w.tick();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, usdt(50_100));
    await w.settle();
    w.usdt.faults.paymentCost = 0n;
    await w.tick();
    const index = /[0-9]+$/.exec(order.fundingAddress)?.[0];
    const [alert] = await alertsOf(order);
    const id = alert?.subject.replace("payment:", "");
    expect(alert).toMatchObject({
      reason:
        "The refund of 49999.55 USDT waits. The account's open USDT refunds and those of the last 24 hours exceed 10000 USDT.",
      action: `Collect the deposit at ${order.fundingAddress} (m/44'/60'/0'/0/${index}), then run "operate retry ${id}".`,
    });
  });

  it("no longer wait for an operator once a reorg has removed their deposit (T50)", async () => {
    const order = await w.lock(user, "USDT", "100");
    await w.cancel(order.id);
    const hash = w.usdt.deposit(order.fundingAddress, usdt(50_000));
    await w.settle();
    expect(await alertsOf(order)).toHaveLength(1);
    w.usdt.reorgAway(hash);
    await w.settle();
    expect((await w.see(user, order.id)).outgoing_txs).toMatchObject([{ purpose: "refund", status: "failed" }]);
    expect(await alertsOf(order)).toMatchObject([{ subject: expect.stringMatching(/^deposit:/) }]);
  });

  it("count together for an account within 24 hours, even when they come in parts", async () => {
    const order = await w.lock(user, "USDT", "100");
    await w.cancel(order.id);
    for (let part = 0; part < 3; part += 1) {
      w.usdt.deposit(order.fundingAddress, usdt(4_000));
      await w.settle();
    }
    expect(refundsOf(order)).toEqual([usdt(4_000), usdt(4_000)]);
    expect(await alertsOf(order)).toHaveLength(1);
    const other = await w.createUser();
    const theirs = await w.lock(other, "USDT", "100");
    w.usdt.deposit(theirs.fundingAddress, usdt(10_100));
    w.wait(25 * 3_600_000);
    w.usdt.deposit(order.fundingAddress, usdt(4_000));
    await w.settle();
    expect(refundsOf(theirs)).toEqual([usdt(10_000)]);
    expect(refundsOf(order)).toHaveLength(3);
  });

  it("count for as long as they wait, so that nothing above the cap is added to an old one", async () => {
    const order = await w.lock(user, "USDT", "100");
    await w.cancel(order.id);
    const at = () => w.ctx.clock.now(w.ctx.db);
    await switchOff(w.ctx.db, "payments", { reason: "a test", at: await at() });
    for (let part = 0; part < 3; part += 1) {
      w.usdt.deposit(order.fundingAddress, usdt(9_000));
      await w.settle();
      w.wait(25 * 3_600_000);
    }
    await switchOn(w.ctx.db, "payments");
    await w.settle();
    expect(refundsOf(order)).toEqual([usdt(9_000)]);
    expect(await alertsOf(order)).toHaveLength(2);
  });

  it("do not go out if the token's blacklist has the deposit's address", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.faults.blocked.add(order.fundingAddress);
    w.usdt.deposit(order.fundingAddress, usdt(150));
    await w.settle();
    expect(refundsOf(order)).toEqual([]);
    expect((await alertsOf(order))[0]?.reason).toContain("cannot be collected");
  });

  it("do not go out, nor do payouts, if the deposit's address is blacklisted after the deposit", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    w.usdt.mine(3);
    await w.scan("USDT");
    w.usdt.faults.blocked.add(order.fundingAddress);
    await w.settle();
    expect(w.mob.paid.filter(({ to }) => to === order.deliveryAddress)).toEqual([]);
    expect((await w.see(user, order.id)).status).toBe("paying_out");
    expect((await alertsOf(order))[0]?.reason).toContain("cannot be collected");
  });

  it("are not capped in MOB, because the deposit is in the wallet that pays", async () => {
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100_100n * 10n ** 12n);
    await w.settle();
    expect(w.mob.paid.filter((p) => p.to === order.refundAddress)).toMatchObject([{ amount: 10n ** 17n }]);
  });
});

it("T65 refunds of one account are counted together if they are chosen at the same moment", async () => {
  const database = await openTestDatabase("PostgreSQL");
  try {
    const w = await createOrdersHarness(database);
    const user = await w.createUser();
    const [first, second] = [await w.lock(user, "USDT", "100"), await w.lock(user, "USDT", "100")];
    w.wait(33 * 60_000);
    await w.tick();
    for (const order of [first, second]) w.usdt.deposit(order.fundingAddress, usdt(9_000));
    await w.settle();
    const decided = deferred();
    const awaited = deferred();
    const refunding = w.ctx.db.transaction(async (tx) => {
      const order = await lockOrderRow(tx, first.id);
      await refundOrder(tx, w.ctx, order, { by: "user", at: await w.ctx.clock.now(tx) });
      decided.resolve();
      await awaited.promise;
    });
    await Promise.race([decided.promise, refunding]);
    const other = w.decide(user, second.id, { choice: "refund" });
    await Promise.race([untilBlocked(w.ctx.db), other]).finally(awaited.resolve);
    await Promise.all([refunding, other]);
    const rows = await w.ctx.db.select().from(payments).orderBy(asc(payments.createdAt));
    expect(rows.map(({ orderId, parkedAt }) => [orderId, parkedAt !== null])).toEqual([
      [first.id, false],
      [second.id, true],
    ]);
  } finally {
    await database.close();
  }
});
