import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { clearAlert, listAlerts } from "~/exchange.server/alerts/alerts";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { type OrderRow, orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { writeOffDeposit } from "~/exchange.server/deposits/rechecks/write-off-deposit";
import { getBalance, heldFor, payableTo, reservedFor, treasury } from "~/exchange.server/ledger/ledger";
import { getHeldDeposits } from "~/exchange.server/orders/held-deposits";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { refundSetAside } from "~/exchange.server/orders/payouts-and-refunds/refund-set-aside";
import { retryParked } from "~/exchange.server/payments/parked/decide-parked";
import { checkReserves, listReserveChecks } from "~/exchange.server/payments/reserves/check-reserves";
import { getSwitchedOff, switchOff } from "~/exchange.server/switches/switches";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";

const usdt = (amount: number) => BigInt(amount) * 1_000_000n;
const minute = 60_000;
const cost = usdt(5);
const config = { refundCost: { USDT: cost, MOB: 400_000_000n }, refundMaxUsdt: usdt(10_000) };

const w = forAllTests(() => openOrders("PostgreSQL", { config }));
let user: User;
let treasuryBefore: bigint;
beforeEach(async () => {
  user = await w.createUser();
  await w.settle();
  treasuryBefore = await getBalance(w.ctx.db, "USDT", treasury);
});
afterEach(async () => {
  vi.restoreAllMocks();
  w.usdt.faults.unpreparable.clear();
  w.mob.faults.unpreparable.clear();
  w.usdt.faults.refused.clear();
  w.usdt.faults.unsendable.clear();
  Object.assign(w.ctx.config, config);
  for (const name of ["payments", "swaps"] as const) await switchOn(w.ctx.db, name);
  for (const { subject } of await listAlerts(w.ctx.db)) await clearAlert(w.ctx.db, subject);
});

const confirm = async () => {
  w.usdt.mine(3);
  await w.tick();
};
const stopPayments = async () =>
  switchOff(w.ctx.db, "payments", { reason: "A test.", at: await w.ctx.clock.now(w.ctx.db) });
const depositsOf = ({ id }: OrderRow) =>
  w.ctx.db.select().from(deposits).where(eq(deposits.orderId, id)).orderBy(asc(deposits.amount));
const depositOf = async (order: OrderRow, amount: bigint) => {
  const found = (await depositsOf(order)).find((deposit) => deposit.amount === amount);
  if (!found) throw new Error(`there is no deposit of ${amount}`);
  return found;
};
const paymentsOf = ({ id }: OrderRow) =>
  w.ctx.db.select().from(payments).where(eq(payments.orderId, id)).orderBy(asc(payments.amount));
const refundsTo = ({ refundAddress }: OrderRow) =>
  w.usdt.paid.filter(({ to }) => to === refundAddress).map(({ amount }) => amount);
const payoutsTo = ({ deliveryAddress }: OrderRow) => w.mob.paid.filter(({ to }) => to === deliveryAddress);
const alertsOf = async ({ id }: OrderRow) => (await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === id);
const statusOf = async ({ id }: OrderRow) => (await w.see(user, id)).status;
const treasuryChange = async () => (await getBalance(w.ctx.db, "USDT", treasury)) - treasuryBefore;
const writeOff = async (order: OrderRow, amount: bigint) => {
  const { id } = await depositOf(order, amount);
  await w.ctx.db.transaction((tx) => writeOffDeposit(tx, w.ctx, id));
};
/** Nothing is held, owed or reserved for the order. */
const expectNothingLeft = async ({ id }: OrderRow) => {
  const codes = [heldFor(id), payableTo(id), reservedFor(id)];
  const balances = codes.flatMap((code) => [getBalance(w.ctx.db, "USDT", code), getBalance(w.ctx.db, "MOB", code)]);
  expect(new Set(await Promise.all(balances))).toEqual(new Set([0n]));
};
/** The books and the chain show the same, after the time that explains a short difference. */
const expectReserves = async () => {
  for (const round of ["first", "second"]) {
    const { owed, inWallet, uncollected } = await checkReserves(w.ctx, "USDT").then(readReserves);
    expect(inWallet + uncollected, round).toBe(owed);
    w.wait(121_000);
    await w.tick();
  }
};
const readReserves = async () => {
  const found = (await listReserveChecks(w.ctx.db)).find(({ asset }) => asset === "USDT");
  if (!found) throw new Error("nothing was compared");
  return found;
};

/** An order for 100 USDT whose payout is made, and the hash of its deposit. */
async function payOut(amount: number, given: (order: OrderRow) => unknown = () => {}) {
  const order = await w.lock(user, "USDT", "100");
  given(order);
  const hash = w.usdt.deposit(order.fundingAddress, usdt(amount));
  await w.settle();
  return { order, hash };
}
const withoutRefund = ({ refundAddress }: OrderRow) => w.usdt.faults.unpreparable.add(refundAddress);
const withoutPayout = ({ deliveryAddress }: OrderRow) => w.mob.faults.unpreparable.add(deliveryAddress);
const remove = async (hash: string) => {
  w.usdt.reorgAway(hash);
  await w.tick();
};
const mineAgain = (order: OrderRow, amount: number, txHash: string) =>
  w.usdt.deposit(order.fundingAddress, usdt(amount), { txHash });

describe("a reorg removes a deposit after a payment that uses it was signed: only what was paid is lost (T50)", () => {
  it("the refund of a surplus is withdrawn, and the loss is the payout", async () => {
    const { order, hash } = await payOut(150, withoutRefund);
    expect(await statusOf(order)).toBe("completed");
    await remove(hash);
    const { id } = await depositOf(order, usdt(150));
    const reason = "A reorg removed a deposit of 150 USDT of which 100 USDT was already paid out.";
    const action = `If it cannot come back, follow "Write off a deposit" in docs/operating.md: "operate write-off ${id}".`;
    expect(await alertsOf(order)).toMatchObject([{ subject: `deposit:${id}`, reason, action }]);
    expect((await getSwitchedOff(w.ctx.db)).swaps).toBe(true);
    expect(await paymentsOf(order)).toMatchObject([
      { purpose: "refund", status: "failed", lastError: "a reorg removed the deposit" },
      { purpose: "payout", status: "confirmed" },
    ]);
    await expectNothingLeft(order);
    await writeOff(order, usdt(150));
    expect(await treasuryChange()).toBe(usdt(100) - 500_000n - usdt(100));
    w.usdt.faults.unpreparable.clear();
    w.wait(30 * minute);
    await w.settle();
    expect(refundsTo(order)).toEqual([]);
    expect(await alertsOf(order)).toEqual([]);
    await expectReserves();

    mineAgain(order, 150, hash);
    await w.settle();
    expect(refundsTo(order)).toEqual([usdt(50) - cost]);
    expect(await treasuryChange()).toBe(usdt(100) - 500_000n);
    expect(await depositOf(order, usdt(150))).toMatchObject({
      missingSince: null,
      lostAmount: null,
      writtenOffAt: null,
    });
    await expectNothingLeft(order);
    await expectReserves();
  });

  it("what is set aside is taken back, and not refunded once gas is cheaper", async () => {
    const { order, hash } = await payOut(104);
    expect(await getBalance(w.ctx.db, "USDT", heldFor(order.id))).toBe(usdt(4));
    await remove(hash);
    await expectNothingLeft(order);
    await writeOff(order, usdt(104));
    Object.assign(w.ctx.config, { refundCost: { ...config.refundCost, USDT: 500_000n } });
    await refundSetAside(w.ctx);
    await w.settle();
    expect(refundsTo(order)).toEqual([]);
    mineAgain(order, 104, hash);
    await w.settle();
    expect(refundsTo(order)).toEqual([usdt(4) - 500_000n]);
    await expectReserves();
  });

  it("a refund above the cap no longer waits for an operator, who cannot pay it", async () => {
    Object.assign(w.ctx.config, { refundMaxUsdt: usdt(20) });
    const { order, hash } = await payOut(150);
    const [refund] = await paymentsOf(order);
    expect(await alertsOf(order)).toMatchObject([{ subject: `payment:${refund?.id}` }]);
    await remove(hash);
    const { id } = await depositOf(order, usdt(150));
    expect(await alertsOf(order)).toMatchObject([{ subject: `deposit:${id}` }]);
    const retry = w.ctx.db.transaction((tx) => retryParked(tx, w.ctx, refund?.id ?? ""));
    await expect(retry).rejects.toMatchObject({ code: "conflict" });
    await writeOff(order, usdt(150));
    await expectNothingLeft(order);
    await expectReserves();
  });

  it("a payout that is not signed is withdrawn: the loss is the refund, and the order waits for a deposit again", async () => {
    const { order, hash } = await payOut(150, withoutPayout);
    expect([await statusOf(order), refundsTo(order)]).toEqual(["paying_out", [usdt(50) - cost]]);
    await remove(hash);
    expect(await statusOf(order)).toBe("awaiting_deposit");
    expect(await depositOf(order, usdt(150))).toMatchObject({ status: "confirmed", lostAmount: usdt(50) });
    await writeOff(order, usdt(150));
    expect(await treasuryChange()).toBe(-usdt(50));
    w.mob.faults.unpreparable.clear();
    w.wait(33 * minute);
    await w.settle();
    expect([await statusOf(order), payoutsTo(order)]).toEqual(["expired", []]);
    await expectNothingLeft(order);
    await expectReserves();

    mineAgain(order, 150, hash);
    await w.settle();
    // What is left of it came too late in its new block.
    expect(await w.see(user, order.id)).toMatchObject({ status: "needs_decision", decision: { reason: "late" } });
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect([await statusOf(order), refundsTo(order)]).toEqual(["refunded", [usdt(50) - cost, usdt(100) - cost]]);
    expect(await treasuryChange()).toBe(0n);
    await expectReserves();
  });

  it.each([
    ["awaiting_deposit", 0],
    ["expired", 33],
  ])("an order that is %s is paid out once the deposit is back in time", async (status, minutes) => {
    const { order, hash } = await payOut(150, withoutPayout);
    const before = await depositOf(order, usdt(150));
    await remove(hash);
    w.mob.faults.unpreparable.clear();
    w.wait(minutes * minute);
    await w.settle();
    expect(await statusOf(order)).toBe(status);
    w.usdt.deposit(order.fundingAddress, usdt(150), { txHash: hash, at: before.blockTime });
    await w.settle();
    expect([await statusOf(order), payoutsTo(order).length]).toEqual(["completed", 1]);
    expect(refundsTo(order)).toEqual([usdt(50) - cost]);
    await expectNothingLeft(order);
    await expectReserves();
  });

  it("an order on hold is evaluated without the deposit when the hold ends, and with it once it is back", async () => {
    const { order, hash } = await payOut(150, withoutPayout);
    const hold = () => w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." }));
    await hold();
    await remove(hash);
    const [held] = await w.ctx.db.select().from(orders).where(eq(orders.id, order.id));
    expect(held).toMatchObject({ status: "on_hold", heldFrom: "confirming", filledSource: null });
    w.mob.faults.unpreparable.clear();
    mineAgain(order, 150, hash);
    await w.settle();
    expect(await statusOf(order)).toBe("on_hold");
    await w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, order.id));
    await w.settle();
    expect([await statusOf(order), payoutsTo(order).length]).toEqual(["completed", 1]);
  });

  it("the rest of an underpaid order is counted without the deposit, and with it once it is back", async () => {
    const { order, hash } = await payOut(150, withoutPayout);
    await remove(hash);
    w.usdt.deposit(order.fundingAddress, usdt(60));
    await confirm();
    expect(await w.see(user, order.id)).toMatchObject({ status: "needs_decision", decision: { reason: "underpaid" } });
    w.mob.faults.unpreparable.clear();
    mineAgain(order, 150, hash);
    await w.settle();
    // 150 - 50 of it are left, and 60 more.
    expect([await statusOf(order), payoutsTo(order).length]).toEqual(["completed", 1]);
    expect(refundsTo(order)).toEqual([usdt(50) - cost, usdt(60) - cost]);
    await expectReserves();
  });

  it.each(["before", "after"])("another deposit that arrives %s the write-off is swapped instead", async (when) => {
    const { order, hash } = await payOut(150, withoutPayout);
    await remove(hash);
    w.mob.faults.unpreparable.clear();
    if (when === "after") await writeOff(order, usdt(150));
    w.usdt.deposit(order.fundingAddress, usdt(100));
    await w.settle();
    expect([await statusOf(order), payoutsTo(order).length]).toEqual(["completed", 1]);
    if (when === "before") await writeOff(order, usdt(150));
    expect(refundsTo(order)).toEqual([usdt(50) - cost]);
    await expectNothingLeft(order);
    await expectReserves();
    mineAgain(order, 150, hash);
    await w.settle();
    expect(refundsTo(order)).toEqual([usdt(50) - cost, usdt(100) - cost]);
    await expectReserves();
  });

  it("the deposit comes back and leaves again: what was swapped is lost again, and another deposit is refunded", async () => {
    const { order, hash } = await payOut(150, withoutRefund);
    await remove(hash);
    w.usdt.deposit(order.fundingAddress, usdt(70));
    await confirm();
    mineAgain(order, 150, hash);
    await confirm();
    expect(await paymentsOf(order)).toContainEqual(
      expect.objectContaining({ amount: usdt(120) - cost, status: "planned" }),
    );
    await remove(hash);
    expect(await depositOf(order, usdt(150))).toMatchObject({ lostAmount: usdt(100) });
    w.usdt.faults.unpreparable.clear();
    w.wait(5 * minute);
    await w.settle();
    expect(refundsTo(order)).toEqual([usdt(70) - cost]);
    await writeOff(order, usdt(150));
    await expectNothingLeft(order);
    await expectReserves();
  });

  it("the deposit comes back and leaves again after another was swapped: only what was refunded is lost again", async () => {
    const { order, hash } = await payOut(150, withoutPayout);
    await remove(hash);
    w.mob.faults.unpreparable.clear();
    w.usdt.deposit(order.fundingAddress, usdt(100));
    await w.settle();
    withoutRefund(order);
    mineAgain(order, 150, hash);
    await confirm();
    await remove(hash);
    expect(await depositOf(order, usdt(150))).toMatchObject({ lostAmount: usdt(50) });
    await writeOff(order, usdt(150));
    w.usdt.faults.unpreparable.clear();
    await w.settle();
    expect(refundsTo(order)).toEqual([usdt(50) - cost]);
    await expectNothingLeft(order);
    await expectReserves();
  });

  it("the deposit's address is read again once the deposit is back, even though it looked empty in the meantime", async () => {
    const { order, hash } = await payOut(100);
    await remove(hash);
    mineAgain(order, 100, hash);
    await w.ctx.db.update(deposits).set({ emptyAtHeight: 1_000_000 }).where(eq(deposits.orderId, order.id));
    await w.settle();
    expect(await depositOf(order, usdt(100))).toMatchObject({ missingSince: null, emptyAtHeight: null });
    await expectReserves();
  });

  it.each(["before", "after"])(
    "other deposits are refunded, including one that arrives %s the write-off",
    async (when) => {
      const { order, hash } = await payOut(100);
      await stopPayments();
      w.usdt.deposit(order.fundingAddress, usdt(40));
      await confirm();
      await remove(hash);
      if (when === "after") await writeOff(order, usdt(100));
      w.usdt.deposit(order.fundingAddress, usdt(30));
      await confirm();
      await switchOn(w.ctx.db, "payments");
      await w.settle();
      expect(refundsTo(order)).toEqual([usdt(70) - cost]);
      expect((await paymentsOf(order)).every(({ parkedAt }) => parkedAt === null)).toBe(true);
      if (when === "before") await writeOff(order, usdt(100));
      await expectNothingLeft(order);
      await expectReserves();
    },
  );

  it.each([
    ["the one that was swapped is looked up first", [100, 80]],
    ["the one that was not swapped is looked up first", [80, 100]],
  ])("two deposits are lost together, and the loss is the same: %s", async (_what, order_) => {
    const { order, hash } = await payOut(100);
    await stopPayments();
    const second = w.usdt.deposit(order.fundingAddress, usdt(80));
    await confirm();
    const hashes = new Map([
      [100, hash],
      [80, second],
    ]);
    for (const amount of order_) await remove(hashes.get(amount) ?? "");
    expect(await depositsOf(order)).toMatchObject([
      { amount: usdt(80), status: "failed", missingSince: null },
      { amount: usdt(100), status: "confirmed", lostAmount: usdt(100) },
    ]);
    const reasons = (await alertsOf(order)).map(({ reason }) => reason);
    expect(reasons.toSorted()).toMatchObject([
      expect.stringMatching(/^A credited deposit of 80 USDT is no longer on the chain/),
      expect.stringMatching(/^A reorg removed a deposit/),
    ]);
    await switchOn(w.ctx.db, "payments");
    await w.settle();
    await writeOff(order, usdt(100));
    expect(refundsTo(order)).toEqual([]);
    await expectNothingLeft(order);
    await expectReserves();
  });

  it("a payout was made from what was credited before it, even if another deposit was seen first", async () => {
    const order = await w.lock(user, "USDT", "100");
    const first = w.usdt.deposit(order.fundingAddress, usdt(80));
    await w.scan("USDT");
    w.usdt.reorgAway(first);
    w.usdt.deposit(order.fundingAddress, usdt(100));
    await w.settle();
    expect(await statusOf(order)).toBe("completed");
    await stopPayments();
    mineAgain(order, 80, first);
    await confirm();
    expect((await getHeldDeposits(w.ctx.db, order.id)).map(({ amount }) => amount)).toEqual([usdt(100)]);
    await remove(first);
    expect(await depositOf(order, usdt(80))).toMatchObject({ status: "failed" });
    expect(await alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("Nothing was paid with it") }]);
    await expectNothingLeft(order);
  });

  it("a signed refund that fails later is undone too, and so is the write-off of its loss", async () => {
    const { order, hash } = await payOut(150, (locked) => {
      withoutPayout(locked);
      w.usdt.faults.unsendable.add(locked.refundAddress);
    });
    await remove(hash);
    expect(await depositOf(order, usdt(150))).toMatchObject({ lostAmount: usdt(50) });
    await writeOff(order, usdt(150));
    expect(await treasuryChange()).toBe(-usdt(50));
    w.usdt.faults.unsendable.clear();
    // The network refuses the refund until it is cancelled.
    w.usdt.faults.refused.add(order.refundAddress);
    for (let tries = 0; tries < 6; tries += 1) {
      w.wait(minute);
      await w.settle();
    }
    expect(await depositOf(order, usdt(150))).toMatchObject({ status: "failed", writtenOffAt: null, lostAmount: null });
    w.wait(33 * minute);
    await w.settle();
    expect(await treasuryChange()).toBe(0n);
    expect(refundsTo(order)).toEqual([]);
    await expectNothingLeft(order);
    await expectReserves();
  });

  it("a deposit that an earlier version has written off as a whole is a loss only as far as it was paid", async () => {
    const { order, hash } = await payOut(150, withoutRefund);
    const lookUp = vi.spyOn(w.usdt, "recheck").mockRejectedValue(new Error("not now"));
    w.usdt.reorgAway(hash);
    const at = await w.ctx.clock.now(w.ctx.db);
    await w.ctx.db.update(deposits).set({ missingSince: at }).where(eq(deposits.orderId, order.id));
    await writeOff(order, usdt(150));
    lookUp.mockRestore();
    await w.tick();
    expect(await depositOf(order, usdt(150))).toMatchObject({ lostAmount: usdt(100), writtenOffAt: expect.any(Date) });
    expect(await treasuryChange()).toBe(-500_000n);
    await expectNothingLeft(order);
    await expectReserves();
  });
});

describe("a deposit that was paid out moves to another block (T50)", () => {
  const move = async (order: OrderRow, amount: number, hash: string) => {
    w.usdt.reorgAway(hash);
    mineAgain(order, amount, hash);
    await w.tick();
  };

  it("nothing is undone or reported while the deposit waits for its confirmations there", async () => {
    const { order, hash } = await payOut(150, withoutRefund);
    await move(order, 150, hash);
    expect(await depositOf(order, usdt(150))).toMatchObject({ missingSince: null, recheckSince: expect.any(Date) });
    expect(await alertsOf(order)).toEqual([]);
    expect((await getSwitchedOff(w.ctx.db)).swaps).toBe(false);
    await expect(writeOff(order, usdt(150))).rejects.toMatchObject({ code: "conflict" });
    w.usdt.faults.unpreparable.clear();
    w.wait(2 * minute);
    await w.pay("USDT");
    expect(refundsTo(order)).toEqual([]);
    await w.settle();
    expect(await depositOf(order, usdt(150))).toMatchObject({ recheckSince: null, lostAmount: null });
    w.wait(2 * minute);
    await w.settle();
    expect(refundsTo(order)).toEqual([usdt(50) - cost]);
    await expectReserves();
  });

  it("the deposit is lost if it leaves that block too", async () => {
    const { order, hash } = await payOut(150, withoutRefund);
    await move(order, 150, hash);
    await remove(hash);
    expect(await depositOf(order, usdt(150))).toMatchObject({ lostAmount: usdt(100), recheckSince: null });
    expect((await getSwitchedOff(w.ctx.db)).swaps).toBe(true);
    expect(await alertsOf(order)).toHaveLength(1);
  });

  it("the alert about a missing one says in which block it is: it cannot be written off, and its money is not a surplus", async () => {
    const { order, hash } = await payOut(150, withoutRefund);
    await remove(hash);
    const [lost] = await alertsOf(order);
    mineAgain(order, 150, hash);
    await w.tick();
    const reason = expect.stringMatching(
      /^A reorg removed a deposit of 150 USDT after it was paid out\. It is in block \d+ now\.$/,
    );
    expect(await alertsOf(order)).toMatchObject([{ reason, action: "Wait until it has its confirmations there." }]);
    await expect(writeOff(order, usdt(150))).rejects.toMatchObject({ code: "conflict" });
    await checkReserves(w.ctx, "USDT");
    expect(await readReserves()).toMatchObject({ surplusSince: null, shortSince: null });
    w.usdt.reorgAway(hash);
    await w.tick();
    expect(await alertsOf(order)).toEqual([lost]);
    await writeOff(order, usdt(150));
    mineAgain(order, 150, hash);
    await w.tick();
    expect(await alertsOf(order)).toEqual([]);
    await checkReserves(w.ctx, "USDT");
    expect(await readReserves()).toMatchObject({ surplusSince: null, shortSince: null });
    await w.settle();
    expect(await treasuryChange()).toBe(usdt(100) - 500_000n);
    await expectReserves();
  });

  it("no alert is left if it was written off, could not be looked up there, and is lost again", async () => {
    const { order, hash } = await payOut(150, withoutRefund);
    await remove(hash);
    await writeOff(order, usdt(150));
    mineAgain(order, 150, hash);
    await w.tick();
    const recheck = vi
      .spyOn(w.usdt, "recheck")
      .mockImplementation(async (seen) => seen.map(() => new Error("No response.")));
    w.wait(11 * minute);
    w.usdt.mine();
    await w.tick();
    expect(await alertsOf(order)).toHaveLength(1);
    recheck.mockRestore();
    await remove(hash);
    expect(await alertsOf(order)).toEqual([]);
  });
});
