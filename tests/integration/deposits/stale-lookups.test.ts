import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import type { ChainTransfer } from "~/exchange.server/chains/gateway";
import { getFinalizedHeight } from "~/exchange.server/db/chain-state";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { deposits } from "~/exchange.server/db/schema/deposits";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { listOpenRescans } from "~/exchange.server/deposits/rescan";
import { requestRescan } from "~/exchange.server/operator/rescans";
import { deferred } from "../../support/deferred";
import { forEachTest } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";

const usdt = (amount: number) => BigInt(amount) * 1_000_000n;

/** Deposits of more than 100 USDT wait until their blocks are final. */
describe("T50 a process that was paused between reading the chain and storing what it had read", () => {
  const w = forEachTest(() => openOrders("PostgreSQL"));
  let user: User;
  beforeEach(async () => {
    w.usdt.faults.finalizedAbove = usdt(100);
    user = await w.createUser();
    await finalize();
  });

  const finalize = async () => {
    w.usdt.mine();
    w.usdt.faults.finalizedHeight = (await w.usdt.scan(null, async () => new Set())).cursor.height;
    await w.scan("USDT");
  };
  const depositOf = async ({ id }: OrderRow) => {
    const [deposit] = await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, id));
    return deposit;
  };
  /**
   * Another process, whose call of `method` with this number returns what the chain said, or `replacement`, once
   * `resume` is called.
   */
  const pauseIn = (method: "scan" | "recheck" | "readRange", nth = 1, replacement?: unknown) => {
    const [paused, resumed] = [deferred(), deferred()];
    const call = w.usdt[method] as (...args: unknown[]) => Promise<unknown>;
    let calls = 0;
    const late = async (...args: unknown[]) => {
      const result = await call(...args);
      calls += 1;
      if (calls !== nth) return result;
      paused.resolve();
      await resumed.promise;
      return replacement ?? result;
    };
    const chains = { ...w.ctx.chains, USDT: { ...w.usdt, [method]: late } };
    return { process: w.inProcess({ ...w.ctx, chains }), paused: paused.promise, resume: resumed.resolve };
  };

  it("credits nothing from a block that a reorg removed before its height became final", async () => {
    const order = await w.lock(user, "USDT", "150");
    const hash = w.usdt.deposit(order.fundingAddress, usdt(150));
    await w.scan("USDT");
    // Later scans do not read its block again: they look it up.
    for (let pass = 0; pass < 2; pass += 1) {
      w.usdt.mine(70);
      await w.scan("USDT");
    }
    w.usdt.mine();
    const { process, paused, resume } = pauseIn("recheck");
    const scanned = process.scan("USDT");
    await paused;
    w.usdt.reorgAway(hash);
    await finalize();
    expect(await depositOf(order)).toMatchObject({ status: "failed" });
    resume();
    await scanned;
    expect(await depositOf(order)).toMatchObject({ status: "failed", creditedAt: null });
    expect((await w.see(user, order.id)).status).toBe("awaiting_deposit");
    await w.settle();
    expect(w.mob.paid).toEqual([]);
  });

  it("credits nothing from a scan if another one has stored that the height is final, and read no further", async () => {
    const [{ cursor } = { cursor: null }] = await w.ctx.db
      .select()
      .from(chainStates)
      .where(eq(chainStates.asset, "USDT"));
    const order = await w.lock(user, "USDT", "150");
    const hash = w.usdt.deposit(order.fundingAddress, usdt(150));
    w.usdt.mine(3);
    const { scan } = w.usdt;
    const read = await scan(cursor, async (addresses) => new Set(addresses));
    const { process, paused, resume } = pauseIn("scan", 1, { ...read, finalizedHeight: null });
    const scanned = process.scan("USDT");
    await paused;
    w.usdt.reorgAway(hash);
    w.usdt.scan = async (...args) => {
      const found = await scan(...args);
      return { ...found, cursor: cursor ?? found.cursor, finalizedHeight: found.cursor.height, scannedThrough: null };
    };
    await w.scan("USDT");
    Object.assign(w.usdt, { scan });
    expect(await getFinalizedHeight(w.ctx.db, "USDT")).toBe(read.cursor.height + 1);
    resume();
    await scanned;
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("awaiting_deposit");
    expect(w.mob.paid).toEqual([]);
  });

  it("is noticed if it credits while another process is about to store that its block is final", async () => {
    const swapped = await w.lock(user, "USDT", "20");
    w.usdt.deposit(swapped.fundingAddress, usdt(20));
    await w.settle();
    const order = await w.lock(user, "USDT", "100");
    const hash = w.usdt.deposit(order.fundingAddress, usdt(100));
    const { scan, recheck } = w.usdt;
    const doubt = (transfer: ChainTransfer) =>
      transfer.txHash === hash ? { ...transfer, confirmations: 1, disputed: true } : transfer;
    w.usdt.scan = async (...args) => {
      const found = await scan(...args);
      return { ...found, transfers: found.transfers.map(doubt) };
    };
    w.usdt.recheck = async (seen) =>
      (await recheck(seen)).map((one) => (one === null || one instanceof Error ? one : doubt(one)));
    // Later scans read neither block again: they look the deposits up.
    for (let pass = 0; pass < 3; pass += 1) {
      await w.scan("USDT");
      w.usdt.mine(70);
    }
    Object.assign(w.usdt, { scan, recheck });

    const first = pauseIn("recheck");
    const firstScan = first.process.scan("USDT");
    await first.paused;
    w.usdt.reorgAway(hash);
    w.usdt.faults.finalizedHeight = (await w.usdt.scan(null, async () => new Set())).cursor.height;
    const second = pauseIn("recheck");
    const secondScan = second.process.scan("USDT");
    await second.paused;
    first.resume();
    await firstScan;
    expect(await depositOf(order)).toMatchObject({ status: "confirmed" });
    second.resume();
    await secondScan;
    w.usdt.mine();
    await w.scan("USDT");
    expect(await depositOf(order)).toMatchObject({ status: "failed", creditedAt: null });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("awaiting_deposit");
    expect(w.mob.paid).toHaveLength(1);
    expect(await getFinalizedHeight(w.ctx.db, "USDT")).toBe(w.usdt.faults.finalizedHeight);
  });

  it("credits nothing from a range that it re-reads, and reads the range once more", async () => {
    const order = await w.lock(user, "USDT", "150");
    const hash = w.usdt.deposit(order.fundingAddress, usdt(150));
    w.usdt.mine(3);
    await w.scan("USDT");
    const block = (await depositOf(order))?.blockNumber ?? 0;
    const at = await w.ctx.clock.now(w.ctx.db);
    await w.ctx.db.transaction((tx) => requestRescan(tx, { asset: "USDT", from: block, to: block, at }));
    const { process, paused, resume } = pauseIn("readRange");
    const scanned = process.scan("USDT");
    await paused;
    w.usdt.reorgAway(hash);
    await finalize();
    resume();
    await scanned;
    expect(await depositOf(order)).toMatchObject({ creditedAt: null });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("awaiting_deposit");
    expect(await listOpenRescans(w.ctx.db)).toEqual([]);
  });

  it("looks up a lost deposit again if it had found it before the height became final", async () => {
    const order = await w.lock(user, "USDT", "100");
    const txHash = w.usdt.deposit(order.fundingAddress, usdt(100));
    await w.settle();
    const inItsBlock = await w.usdt.recheck([{ txHash, ordinal: 0, blockNumber: 0 }]);
    w.usdt.reorgAway(txHash);
    await w.scan("USDT");
    expect(await depositOf(order)).toMatchObject({ lostAmount: usdt(100) });
    w.usdt.mine();
    // Its chain is back, for a moment.
    const { process, paused, resume } = pauseIn("recheck", 1, inItsBlock);
    const scanned = process.scan("USDT");
    await paused;
    await finalize();
    resume();
    await scanned;
    w.usdt.mine();
    await w.scan("USDT");
    expect(await depositOf(order)).toMatchObject({ lostAmount: usdt(100), missingSince: expect.any(Date) });
  });

  it("does not report a lost deposit as found, where it was before", async () => {
    const order = await w.lock(user, "USDT", "100");
    const txHash = w.usdt.deposit(order.fundingAddress, usdt(100));
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
    w.usdt.reorgAway(txHash);
    w.usdt.deposit(order.fundingAddress, usdt(100), { txHash });
    w.usdt.mine(3);
    // All deposits are looked up together before this one is looked up alone.
    const { process, paused, resume } = pauseIn("recheck", 2);
    const scanned = process.scan("USDT");
    await paused;
    w.usdt.reorgAway(txHash);
    await finalize();
    expect(await depositOf(order)).toMatchObject({ lostAmount: usdt(100) });
    resume();
    await scanned;
    expect(await depositOf(order)).toMatchObject({ lostAmount: usdt(100), missingSince: expect.any(Date) });
  });
});
