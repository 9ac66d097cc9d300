import { eq } from "drizzle-orm";
import fc from "fast-check";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { payments } from "~/exchange.server/db/schema/payments";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { getBalance, payableTo } from "~/exchange.server/ledger/ledger";
import { getOffReason, switchOff } from "~/exchange.server/switches/switches";
import { createOrdersHarness, type OrdersHarness } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";
import { startTestnet, type Testnet, usdt } from "./setup";

/** Reorgs of a real EVM under a whole exchange; MobileCoin, whose blocks are final, is the chain in memory. */
describe("a reorg of Ethereum", { timeout: 240_000 }, () => {
  let testnet: Testnet;
  let database: OpenDatabase;
  let w: OrdersHarness;
  beforeAll(async () => {
    testnet = await startTestnet();
    database = await openTestDatabase("PGlite");
    w = await createOrdersHarness(database, { chains: { USDT: testnet.gateway() } });
  });
  afterAll(async () => {
    await database?.close();
    await testnet?.close();
  });

  const createUser = () => w.createUser({ ETH: privateKeyToAddress(generatePrivateKey()) });
  const setPayments = async (on: boolean) => {
    const at = await w.ctx.clock.now(w.ctx.db);
    await (on ? switchOn(w.ctx.db, "payments") : switchOff(w.ctx.db, "payments", { reason: "A test.", at }));
  };
  /** Replaces every block since the snapshot with at least as many blocks that lack their transactions. */
  const reorg = async (snapshot: unknown) => {
    const height = await testnet.height();
    await testnet.rpc("evm_revert", snapshot);
    await testnet.rpc("anvil_dropAllTransactions");
    // The revert has turned anvil's clock back as well.
    const head = await testnet.customer.getBlock();
    const now = Math.max(Math.floor(Date.now() / 1000), Number(head.timestamp) + 1);
    await testnet.rpc("evm_setNextBlockTimestamp", now);
    await testnet.mine(height - (await testnet.height()) + 1);
  };
  /** An order that received `amount` in a block with `depth` confirmations, while payments were off. */
  const receiveDeposit = async (amount: number, depth: number) => {
    await setPayments(true);
    await testnet.mine();
    await w.tick();
    const user = await createUser();
    const order = await w.lock(user, "USDT", "100");
    await setPayments(false);
    const snapshot = await testnet.rpc("evm_snapshot");
    await testnet.send(order.fundingAddress, usdt(amount));
    await testnet.mine(depth);
    await w.tick();
    return { user, order, snapshot };
  };
  /** An order whose payout is planned. */
  const payOut = async () => {
    const user = await createUser();
    const order = await w.lock(user, "MOB", "100");
    w.mob.deposit(order.fundingAddress, 100n * 10n ** 12n);
    await w.scan("MOB");
    return { user, order };
  };
  const depositsOf = (orderId: string) => w.ctx.db.select().from(deposits).where(eq(deposits.orderId, orderId));
  /** Deposits that were dropped in other tests have alerts, too. */
  const alertsAboutPayments = async () =>
    (await listAlerts(w.ctx.db)).filter(({ subject }) => subject.startsWith("payment:"));
  const paymentsOf = (orderId: string) =>
    w.ctx.db.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(payments.createdAt);

  it("T50 takes a credited deposit back before anything is paid with it, at random depths up to 64", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 3, max: 64 }),
        fc.constantFrom("paying out" as const, "refunding" as const, "to be decided" as const),
        async (depth, situation) => {
          const { user, order, snapshot } = await receiveDeposit(situation === "paying out" ? 100 : 60, depth);
          if (situation === "refunding") await w.decide(user, order.id, { choice: "refund" });
          const statuses = { "paying out": "paying_out", refunding: "refunding", "to be decided": "needs_decision" };
          expect((await w.see(user, order.id)).status).toBe(statuses[situation]);

          await reorg(snapshot);
          // The payment is due in the same moment: before the scan has seen the reorg.
          await setPayments(true);
          const paidMob = w.mob.paid.length;
          await w.pay("MOB");
          await w.pay("USDT");
          await w.tick();
          expect(w.mob.paid).toHaveLength(paidMob);
          await testnet.mine();
          expect(await testnet.balanceOf(order.refundAddress)).toBe(0n);
          expect(await depositsOf(order.id)).toMatchObject([{ status: "failed", creditedAt: null }]);
          expect(await getBalance(w.ctx.db, "MOB", payableTo(order.id))).toBe(0n);
          expect(await getBalance(w.ctx.db, "USDT", payableTo(order.id))).toBe(0n);
          expect((await paymentsOf(order.id)).every(({ status }) => status === "failed")).toBe(true);
          expect(await checkBooks(w.ctx.db)).toEqual([]);
        },
      ),
      { numRuns: 6, endOnFailure: true, examples: [[64, "to be decided"]] },
    );
  });

  it.each([0, 200])(
    "T50 takes a credited deposit back even though the new blocks are final, %i blocks later",
    async (more) => {
      const { user, order, snapshot } = await receiveDeposit(100, 64);
      expect((await w.see(user, order.id)).status).toBe("paying_out");
      await reorg(snapshot);
      if (more > 0) await testnet.mine(more);
      // The scan knows of the final blocks before the payment is due.
      await w.scan("USDT");
      await setPayments(true);
      const paidMob = w.mob.paid.length;
      await w.tick();
      expect(w.mob.paid).toHaveLength(paidMob);
      expect(await depositsOf(order.id)).toMatchObject([{ status: "failed", creditedAt: null }]);
      expect(await checkBooks(w.ctx.db)).toEqual([]);
    },
  );

  it("T50 has a confirmed payout that it removed sent again, and the nonce gap before later ones filled", async () => {
    await testnet.mine();
    await w.tick();
    const first = await payOut();
    const later = [await payOut(), await payOut()];
    await setPayments(false);
    const snapshot = await testnet.rpc("evm_snapshot");
    await setPayments(true);
    // Only the first is due before the reorg.
    for (const { order } of later) {
      const notBefore = new Date((await w.ctx.clock.now(w.ctx.db)).getTime() + 3_600_000);
      await w.ctx.db.update(payments).set({ notBefore }).where(eq(payments.orderId, order.id));
    }
    await w.pay("USDT");
    await testnet.mine(3);
    await w.pay("USDT");
    expect((await w.see(first.user, first.order.id)).status).toBe("completed");
    const [payout] = await paymentsOf(first.order.id);

    await reorg(snapshot);
    expect(await testnet.balanceOf(first.order.deliveryAddress)).toBe(0n);
    for (const { order } of later) {
      await w.ctx.db.update(payments).set({ notBefore: null }).where(eq(payments.orderId, order.id));
    }
    // No block is mined, so the payment stays away, and swaps stop within 30 seconds.
    await w.pay("USDT");
    w.wait(25_000);
    await w.pay("USDT");
    expect(await getOffReason(w.ctx.db, "swaps")).toContain(payout?.hash);
    expect(await alertsAboutPayments()).toMatchObject([{ orderId: first.order.id }]);

    for (let round = 0; round < 3; round += 1) {
      await testnet.mine(3);
      await w.pay("USDT");
    }
    for (const { user, order } of [first, ...later]) {
      expect((await w.see(user, order.id)).status).toBe("completed");
      expect(await testnet.balanceOf(order.deliveryAddress)).toBe(order.targetAmount);
    }
    const rows = await Promise.all([first, ...later].map(({ order }) => paymentsOf(order.id)));
    expect(rows.flat().map(({ nonce }) => (nonce ?? 0) - (payout?.nonce ?? 0))).toEqual([0, 1, 2]);
    expect(rows[0]).toMatchObject([{ hash: payout?.hash, status: "confirmed", missingSince: null }]);
    expect(await alertsAboutPayments()).toEqual([]);
    await switchOn(w.ctx.db, "swaps");
  });

  it("T50 has the nonce of a removed payout without effect filled, and its replacement sent again", async () => {
    await testnet.mine();
    await w.tick();
    const { user, order } = await payOut();
    const snapshot = await testnet.rpc("evm_snapshot");
    await w.pay("USDT");
    // The token is paused before the payout is in a block.
    await testnet.rpc("anvil_dropAllTransactions");
    await testnet.mineUntilDone(testnet.chain.setPaused(true));
    await w.pay("USDT");
    await testnet.mine(3);
    await w.pay("USDT");
    await testnet.mineUntilDone(testnet.chain.setPaused(false));
    w.wait(31_000);
    await w.pay("USDT");
    await testnet.mine(3);
    await w.pay("USDT");
    expect(await paymentsOf(order.id)).toMatchObject([{ status: "failed" }, { status: "confirmed" }]);

    await reorg(snapshot);
    for (let round = 0; round < 3; round += 1) {
      await w.scan("USDT");
      await w.pay("USDT");
      await testnet.mine(3);
    }
    expect((await w.see(user, order.id)).status).toBe("completed");
    expect(await testnet.balanceOf(order.deliveryAddress)).toBe(order.targetAmount);
    expect(await paymentsOf(order.id)).toMatchObject([
      { status: "failed" },
      { status: "confirmed", missingSince: null },
    ]);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });
});
