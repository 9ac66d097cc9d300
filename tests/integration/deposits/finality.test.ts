import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { getChainState, getFinalizedHeight } from "~/exchange.server/db/chain-state";
import type { Database } from "~/exchange.server/db/database";
import { chainStates, rescans } from "~/exchange.server/db/schema/chains";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { hasScanWork, storeQuietScan } from "~/exchange.server/deposits/quiet-scans";
import { continueRescans } from "~/exchange.server/deposits/rescan";
import { scanChain } from "~/exchange.server/deposits/scan";
import { external, getBalance, post, treasury } from "~/exchange.server/ledger/ledger";
import { switchOff } from "~/exchange.server/switches/switches";
import { deferred } from "../../support/deferred";
import { forEachTest } from "../../support/for-tests";
import { createOrdersHarness, openOrders } from "../../support/orders-harness";
import { untilBlocked } from "../../support/postgres";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";

const usdt = (amount: number) => BigInt(amount) * 1_000_000n;

it.each([
  ["a scan", scanChain],
  ["a rescan", continueRescans],
] as const)(
  "T50 a block that another process stores as final waits for %s that has found a deposit in it",
  async (_, apply) => {
    const database = await openTestDatabase("PostgreSQL");
    try {
      const w = await createOrdersHarness(database);
      await w.scan("USDT");
      const order = await w.lock(await w.createUser(), "USDT", "100");
      const before = await getChainState(w.ctx.db, "USDT");
      if (!before?.cursor) throw new Error("the chain was not scanned");
      w.usdt.deposit(order.fundingAddress, usdt(100));
      w.usdt.mine(3);
      const range = { fromBlock: 0, toBlock: before.cursor.height + 1, nextBlock: 0 };
      const requestedAt = await w.ctx.clock.now(w.ctx.db);
      await w.ctx.db.insert(rescans).values({ asset: "USDT", ...range, requestedAt });
      const startedAt = new Date((await w.ctx.clock.now(w.ctx.db)).getTime() + 10_000);
      // The node of the other process has another block there.
      const height = before.cursor.height + 10;
      const cursor = { ...before.cursor, height };
      const result = {
        transfers: [],
        cursor,
        readFrom: 0,
        scannedThrough: startedAt,
        finalizedHeight: height,
        caughtUp: true,
      };
      const [compared, mayStore] = [deferred(), deferred()];
      const clock = {
        async now(db: Database) {
          // In the transaction that stores the deposit, once it has compared the cursor or the final height.
          if (db !== w.ctx.db) {
            compared.resolve();
            await mayStore.promise;
          }
          return w.ctx.clock.now(db);
        },
      };
      const applied = apply({ ...w.ctx, clock }, "USDT");
      await compared.promise;
      const stored = storeQuietScan(w.ctx, "USDT", before, { result, startedAt });
      await Promise.race([stored, untilBlocked(w.ctx.db)]);
      mayStore.resolve();
      await applied;
      expect(await w.ctx.db.select().from(deposits)).toMatchObject([{ status: "confirmed" }]);
      expect(await stored).toBeNull();
      expect(await getFinalizedHeight(w.ctx.db, "USDT")).toBeNull();
    } finally {
      await database.close();
    }
  },
);

/** Deposits of more than 100 USDT wait until their blocks are final. */
describe("T50 a credited deposit whose block becomes final", { timeout: 60_000 }, () => {
  const w = forEachTest(() => openOrders("PGlite"));
  beforeEach(async () => {
    w.usdt.faults.finalizedAbove = usdt(100);
    await finalize();
  });

  const now = () => w.ctx.clock.now(w.ctx.db);
  const head = async () => (await w.usdt.scan(null, async () => new Set())).cursor.height;
  const finalize = async () => {
    // A scan reads the last 64 blocks again.
    w.usdt.mine(70);
    await w.scan("USDT");
    w.usdt.faults.finalizedHeight = await head();
    w.usdt.mine();
    await w.scan("USDT");
  };
  async function pay(amount: number, { payments = true } = {}) {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", String(amount));
    if (!payments) await switchOff(w.ctx.db, "payments", { reason: "A test.", at: await now() });
    const hash = w.usdt.deposit(order.fundingAddress, usdt(amount));
    w.usdt.mine(3);
    await w.scan("USDT");
    return { hash, order, readStatus: async () => (await w.see(user, order.id)).status };
  }
  const alertsOf = async (orderId: string) => (await listAlerts(w.ctx.db)).filter((alert) => alert.orderId === orderId);
  async function expectOthersToSwap(): Promise<void> {
    const other = await pay(150);
    expect(await other.readStatus()).toBe("confirming");
    await finalize();
    await w.settle();
    expect(await other.readStatus()).toBe("completed");
    expect(await getFinalizedHeight(w.ctx.db, "USDT")).toBe(w.usdt.faults.finalizedHeight);
  }

  it("stays final when other nodes report a lower height", async () => {
    const final = w.usdt.faults.finalizedHeight ?? 0;
    const other = await pay(50);
    for (const [height, stored] of [
      [final - 10, final],
      [final + 5, final + 5],
      [final - 5, final + 5],
    ] as const) {
      w.usdt.faults.finalizedHeight = height;
      w.usdt.mine();
      w.wait(6_000);
      await w.scan("USDT");
      expect(await getFinalizedHeight(w.ctx.db, "USDT")).toBe(stored);
    }
    await w.settle();
    expect(await other.readStatus()).toBe("completed");
    // While the chain is quiet, too.
    w.usdt.faults.finalizedHeight = await head();
    for (const lower of [0, 10]) {
      w.usdt.mine();
      w.wait(6_000);
      await w.scan("USDT");
      const stored = await getFinalizedHeight(w.ctx.db, "USDT");
      expect(stored).toBeGreaterThan(final + 5);
      w.usdt.faults.finalizedHeight = lower;
    }
    w.usdt.mine();
    w.wait(6_000);
    await w.scan("USDT");
    expect(await getFinalizedHeight(w.ctx.db, "USDT")).toBeGreaterThan(final + 5);
  });

  it("has its chain scanned often from the lock until the swap is completed and its block is final", async () => {
    const haveScanWork = async () => {
      // Like another process, a new context knows nothing of earlier scans.
      const ctx = { ...w.ctx };
      await scanChain(ctx, "USDT");
      await scanChain(ctx, "MOB");
      return [hasScanWork(ctx, "USDT"), hasScanWork(ctx, "MOB")];
    };
    expect(await haveScanWork()).toEqual([false, false]);
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "20");
    expect(await haveScanWork()).toEqual([true, true]);
    w.usdt.deposit(order.fundingAddress, usdt(20));
    w.usdt.mine(3);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    // A reorg may still remove the deposit.
    expect(await haveScanWork()).toEqual([true, false]);
    await finalize();
    expect(await haveScanWork()).toEqual([false, false]);
    const cancelled = await w.lock(user, "USDT", "20");
    expect(await haveScanWork()).toEqual([true, true]);
    await w.cancel(cancelled.id);
    expect(await haveScanWork()).toEqual([false, false]);
  });

  it("is looked up again until that works, without delaying other deposits, and alerts an operator after ten minutes", async () => {
    const { hash, order, readStatus } = await pay(100);
    const recheck = w.usdt.recheck.bind(w.usdt);
    w.usdt.recheck = async (seen) => {
      const results = await recheck(seen);
      return seen.map(({ txHash }, index) =>
        txHash === hash ? new Error("The node failed.") : (results[index] ?? null),
      );
    };
    await finalize();
    const read = async () => (await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, order.id)))[0];
    const since = (await read())?.recheckSince;
    expect(since).toBeInstanceOf(Date);
    await expectOthersToSwap();
    expect(await alertsOf(order.id)).toEqual([]);
    // Its payout waits as well.
    expect(await readStatus()).toBe("paying_out");

    w.wait(10 * 60_000);
    w.usdt.mine();
    await w.scan("USDT");
    expect((await read())?.recheckSince).toEqual(since);
    expect(await alertsOf(order.id)).toMatchObject([
      { subject: expect.stringMatching(/^deposit:/), reason: expect.stringContaining("a deposit of 100 USDT") },
    ]);

    w.usdt.recheck = recheck;
    w.usdt.mine();
    await w.scan("USDT");
    expect((await read())?.recheckSince).toBeNull();
    expect(await alertsOf(order.id)).toEqual([]);
    w.wait(120_000);
    await w.settle();
    expect(await readStatus()).toBe("completed");
  });

  it("is looked up once for all deposits in its block, and alone if that lookup fails", async () => {
    const [first, second] = [await w.createUser(), await w.createUser()];
    const orders = [await w.lock(first, "USDT", "20"), await w.lock(second, "USDT", "20")] as const;
    const [one, two] = orders;
    const txHash = w.usdt.deposit(one.fundingAddress, usdt(20));
    w.usdt.deposit(two.fundingAddress, usdt(20), { txHash, ordinal: 1 });
    w.usdt.mine(3);
    await w.settle();
    const lookUps: number[] = [];
    const recheck = w.usdt.recheck.bind(w.usdt);
    w.usdt.recheck = async (seen) => {
      lookUps.push(seen.length);
      return recheck(seen);
    };
    await finalize();
    expect(lookUps).toEqual([1]);

    await w.ctx.db.update(chainStates).set({ finalizedHeight: 0 }).where(eq(chainStates.asset, "USDT"));
    lookUps.length = 0;
    w.usdt.recheck = async (seen) => {
      lookUps.push(seen.length);
      return lookUps.length === 1 ? seen.map(() => new Error("The node failed.")) : recheck(seen);
    };
    w.usdt.mine();
    await w.scan("USDT");
    // Both are then uncertain, and are looked up by the same scan.
    expect(lookUps).toEqual([1, 2]);
    const rows = await w.ctx.db.select().from(deposits).where(eq(deposits.txHash, txHash));
    expect(rows.map(({ recheckSince, status }) => [recheckSince, status])).toEqual([
      [null, "confirmed"],
      [null, "confirmed"],
    ]);
  });

  it("is reversed once our funds allow it, without delaying other deposits, and alerts an operator at once", async () => {
    const { hash, order, readStatus } = await pay(100, { payments: false });
    expect(await readStatus()).toBe("paying_out");
    // Swaps in the other direction have taken all of our USDT.
    const amount = await getBalance(w.ctx.db, "USDT", treasury);
    const at = await now();
    const move = (from: string, to: string) =>
      w.ctx.db.transaction((tx) =>
        post(tx, { transfers: [{ asset: "USDT", from, to, amount, kind: "float" }], orderId: null, at }),
      );
    await move(treasury, external);
    w.usdt.reorgAway(hash);
    w.usdt.mine(3);
    await w.scan("USDT");
    expect(await alertsOf(order.id)).toMatchObject([
      {
        subject: expect.stringMatching(/^deposit:/),
        reason: expect.stringMatching(/^A reorg removed a deposit of 100 USDT, but /),
        action: expect.stringContaining('"operate float"'),
      },
    ]);
    await switchOn(w.ctx.db, "payments");
    const paid = w.mob.paid.length;
    await w.pay("MOB");
    await finalize();
    expect(await getFinalizedHeight(w.ctx.db, "USDT")).toBe(w.usdt.faults.finalizedHeight);
    expect(await readStatus()).toBe("paying_out");
    expect(w.mob.paid).toHaveLength(paid);

    await move(external, treasury);
    w.usdt.mine();
    await w.scan("USDT");
    expect(await readStatus()).toBe("awaiting_deposit");
    expect(await alertsOf(order.id)).toMatchObject([{ reason: expect.stringContaining("is no longer on the chain") }]);
    await expectOthersToSwap();
    expect(w.mob.paid).toHaveLength(paid + 1);
  });
});
