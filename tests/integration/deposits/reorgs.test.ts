import { eq } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clearAlert, listAlerts } from "~/exchange.server/alerts/alerts";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { orders } from "~/exchange.server/db/schema/orders";
import { external, getBalance, payableTo, post, treasury } from "~/exchange.server/ledger/ledger";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { refundOrder } from "~/exchange.server/orders/payouts-and-refunds/refund";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { switchOff } from "~/exchange.server/switches/switches";
import { isFinal } from "~/lib/order-states";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";

/** Where the order is when a reorg removes its credited deposit. */
const situations = [
  "underpaid",
  "paying out",
  "paying out a surplus",
  "put on hold while paying out",
  "put on hold while deciding",
  "late",
  "refunding",
  "paid",
  "completed",
  "refunded",
] as const;
type Situation = (typeof situations)[number];

const w = forAllTests(() =>
  openOrders("PostgreSQL", { config: { refundCost: { USDT: 300_000n, MOB: 400_000_000n } } }),
);

const now = () => w.ctx.clock.now(w.ctx.db);
const stopPayments = async () => switchOff(w.ctx.db, "payments", { reason: "A test.", at: await now() });
const resumePayments = async () => switchOn(w.ctx.db, "payments");
const confirm = async () => {
  w.usdt.mine(3);
  await w.tick();
};

/** An order in the given situation, and its credited deposit. */
async function bring(user: User, situation: Situation) {
  await resumePayments();
  const order = await w.lock(user, "USDT", "100");
  if (situation === "late") {
    w.wait(33 * 60_000);
    await w.tick();
  }
  const shares = { underpaid: 60n, "put on hold while deciding": 60n, "paying out a surplus": 150n } as Record<
    string,
    bigint
  >;
  const amount = (100_000_000n * (shares[situation] ?? 100n)) / 100n;
  if (situation !== "paid" && situation !== "completed") await stopPayments();
  const hash = w.usdt.deposit(order.fundingAddress, amount);
  await confirm();
  const hold = () => w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." }));
  if (situation === "put on hold while paying out" || situation === "put on hold while deciding") await hold();
  if (situation === "refunding" || situation === "refunded") {
    await hold();
    await w.ctx.db.transaction(async (tx) =>
      refundOrder(tx, w.ctx, await lockOrderRow(tx, order.id), { by: "operator", at: await w.ctx.clock.now(tx) }),
    );
  }
  if (situation === "completed") await w.settle();
  if (situation === "refunded") {
    await resumePayments();
    await w.settle();
  }
  return { order, hash, amount, isPaid: ["paid", "completed", "refunded"].includes(situation) };
}

/** The same depths and fates in every run. Set MODEL_SEED to a number to try others. */
const seed = Number(process.env.MODEL_SEED ?? 5021);

describe("a reorg that removes a credited deposit", () => {
  it.each(situations)(
    "T50 does not pay anything that is not signed yet, at random depths: %s",
    async (situation) => {
      await fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 1, max: 60 }),
          fc.constantFrom("lost" as const, "mined again" as const),
          async (depth, fate) => {
            const user = await w.createUser();
            const { order, hash, amount, isPaid } = await bring(user, situation);
            w.usdt.mine(depth);
            const paidBefore = w.mob.paid.length + w.usdt.paid.length;
            w.usdt.reorgAway(hash);
            // Payments resume in the same moment: the payment is due before the scanner has seen the reorg.
            await resumePayments();
            await w.pay("MOB");
            await w.pay("USDT");
            await w.tick();
            expect(w.mob.paid.length + w.usdt.paid.length).toBe(paidBefore);
            if (isPaid) {
              const alerts = (await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === order.id);
              expect(alerts).toMatchObject([{ reason: expect.stringContaining("A reorg removed a deposit") }]);
              await expect(w.lock(user, "USDT", "100")).rejects.toMatchObject({ code: "swaps_stopped" });
              await switchOn(w.ctx.db, "swaps");
            } else {
              const [row] = await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, order.id));
              expect(row).toMatchObject({ status: "failed", creditedAt: null });
              expect(await getBalance(w.ctx.db, "MOB", payableTo(order.id))).toBe(0n);
            }
            if (fate === "mined again") w.usdt.deposit(order.fundingAddress, amount, { txHash: hash });
            await w.settle();
            const [held] = await w.ctx.db.select().from(orders).where(eq(orders.id, order.id));
            if (held?.status === "on_hold") await w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, order.id));
            for (let round = 0; round < 2; round += 1) {
              w.wait(80 * 3_600_000);
              await w.settle();
            }
            const end = await w.see(user, order.id);
            expect(isFinal(end.status) || end.status === "expired").toBe(true);
            const out = w.usdt.paid
              .filter(({ to }) => to === order.refundAddress)
              .reduce((sum, p) => sum + p.amount, 0n);
            const payouts = w.mob.paid.filter(({ to }) => to === order.deliveryAddress).length;
            expect(payouts).toBeLessThanOrEqual(1);
            // Lost money is never paid out, and money that came back goes to the customer once.
            if (!isPaid && fate === "lost") expect([payouts, out]).toEqual([0, 0n]);
            if (fate === "mined again" || isPaid) {
              expect(payouts === 1 || out > 0n).toBe(true);
              const surplus = amount > 100_000_000n ? amount - 100_000_000n : 0n;
              expect(out).toBeLessThanOrEqual(payouts === 1 ? surplus : amount);
            }
            for (const { subject } of await listAlerts(w.ctx.db)) await clearAlert(w.ctx.db, subject);
          },
        ),
        { seed, numRuns: 2, endOnFailure: true },
      );
    },
    120_000,
  );

  it("leaves nothing to refund, so that a refund ends the order at once", async () => {
    const { order, hash } = await bring(await w.createUser(), "put on hold while paying out");
    w.usdt.reorgAway(hash);
    await w.tick();
    await w.ctx.db.transaction(async (tx) =>
      refundOrder(tx, w.ctx, await lockOrderRow(tx, order.id), { by: "operator", at: await w.ctx.clock.now(tx) }),
    );
    const [row] = await w.ctx.db.select().from(orders).where(eq(orders.id, order.id));
    expect(row?.status).toBe("refunded");
    await resumePayments();
    await w.settle();
    expect(w.usdt.paid.filter(({ to }) => to === order.refundAddress)).toEqual([]);
  });

  it("waits for confirmations again when the deposit moved to another block", async () => {
    const user = await w.createUser();
    const { order, hash, amount } = await bring(user, "paying out");
    w.usdt.reorgAway(hash);
    w.usdt.deposit(order.fundingAddress, amount, { txHash: hash });
    await resumePayments();
    await w.pay("MOB");
    expect(await w.see(user, order.id)).toMatchObject({
      status: "confirming",
      incoming_txs: [{ status: "pending", confirmations: 1 }],
    });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(w.mob.paid.filter(({ to }) => to === order.deliveryAddress)).toHaveLength(1);
  });

  it("pays nothing while the nodes disagree, and does not delay other payments", async () => {
    const first = await bring(await w.createUser(), "paying out");
    const second = await bring(await w.createUser(), "paying out");
    const recheck = w.usdt.recheck.bind(w.usdt);
    w.usdt.recheck = async (seen) => {
      if (seen.some(({ txHash }) => txHash === first.hash)) throw new Error("The nodes do not respond.");
      return recheck(seen);
    };
    await resumePayments();
    await w.settle();
    w.usdt.recheck = recheck;
    const paid = w.mob.paid.map(({ to }) => to);
    expect(paid).not.toContain(first.order.deliveryAddress);
    expect(paid).toContain(second.order.deliveryAddress);
    w.wait(120_000);
    await w.settle();
    expect(w.mob.paid.map(({ to }) => to)).toContain(first.order.deliveryAddress);
  });

  it("leaves the books balanced when our funds no longer cover the reserve", async () => {
    const user = await w.createUser();
    const { order, hash } = await bring(user, "paying out");
    const amount = await getBalance(w.ctx.db, "MOB", treasury);
    const at = await now();
    const move = (from: string, to: string) =>
      w.ctx.db.transaction((tx) =>
        post(tx, { transfers: [{ asset: "MOB", from, to, amount, kind: "float" }], orderId: null, at }),
      );
    await move(treasury, external);
    w.usdt.reorgAway(hash);
    await resumePayments();
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("awaiting_deposit");
    await move(external, treasury);
    w.wait(33 * 60_000);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("expired");
  });

  it.each([
    ["one deposit back in its block", 1, 0],
    ["two deposits back in one block", 2, 0],
    ["one deposit in another block, 80 blocks later", 1, 80],
  ])("ends the alert when what it removed after the payment is found again: %s", async (_what, count, blocksLater) => {
    const order = await w.lock(await w.createUser(), "USDT", "100");
    const scan = w.usdt.scan.bind(w.usdt);
    const recheck = w.usdt.recheck.bind(w.usdt);
    let hash: string | undefined;
    for (let ordinal = 0; ordinal < count; ordinal += 1) {
      const amount = 100_000_000n / BigInt(count);
      hash = w.usdt.deposit(order.fundingAddress, amount, { ...(hash && { txHash: hash }), ordinal });
    }
    await w.settle();
    const queryRows = () => w.ctx.db.select().from(deposits).where(eq(deposits.orderId, order.id));
    const alertsOf = async () => (await listAlerts(w.ctx.db)).filter(({ orderId }) => orderId === order.id);

    if (blocksLater > 0 && hash) w.usdt.reorgAway(hash);
    w.usdt.scan = async (...args) => ({ ...(await scan(...args)), transfers: [] });
    w.usdt.recheck = async (seen) => seen.map(() => null);
    w.usdt.mine();
    await w.scan("USDT");
    w.usdt.scan = scan;
    w.usdt.recheck = recheck;
    expect((await queryRows()).every(({ missingSince }) => missingSince !== null)).toBe(true);
    expect(await alertsOf()).toHaveLength(count);

    if (blocksLater > 0) {
      for (let block = 0; block < blocksLater; block += 1) w.usdt.mine();
      await w.scan("USDT");
      w.usdt.deposit(order.fundingAddress, 100_000_000n, { txHash: hash, ordinal: 0 });
    }
    w.usdt.mine(3);
    await w.scan("USDT");
    expect((await queryRows()).map(({ missingSince }) => missingSince)).toEqual(
      Array.from({ length: count }, () => null),
    );
    expect(await alertsOf()).toEqual([]);
    await switchOn(w.ctx.db, "swaps");
  });
});
