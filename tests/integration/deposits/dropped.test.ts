import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { deposits } from "~/exchange.server/db/schema/deposits";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { getBalance, reservedFor } from "~/exchange.server/ledger/ledger";
import { checkReserves } from "~/exchange.server/payments/reserves/check-reserves";
import { listUncollected } from "~/exchange.server/payments/reserves/uncollected";
import { dayMs, hourMs, minuteMs } from "~/lib/durations";
import { forEachTest } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";

describe("T50 a credited deposit that the nodes no longer find", () => {
  const w = forEachTest(() => openOrders("PostgreSQL"));
  let user: User;
  beforeEach(async () => {
    user = await w.createUser();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });

  const depositOf = async ({ id }: OrderRow) => {
    const [row] = await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, id));
    if (!row) throw new Error("the deposit is missing");
    return row;
  };
  const alertsAbout = async (kind: string) =>
    (await listAlerts(w.ctx.db)).filter(({ subject }) => subject.startsWith(kind));
  const scanNewBlock = async () => {
    w.usdt.mine();
    await w.scan("USDT");
  };
  /** An underpaid order whose deposit no scan reads again, and whose block has just become final. */
  const fund = async () => {
    const order = await w.lock(user, "USDT", "100");
    const hash = w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    w.usdt.mine(80);
    await w.scan("USDT");
    w.usdt.faults.finalizedHeight = (await depositOf(order)).blockNumber;
    return { order, hash };
  };
  /** The nodes say that a deposit is not in a block, which their callers cannot tell from the truth. */
  const lieAbout = (hash: string) => {
    const recheck = w.usdt.recheck.bind(w.usdt);
    return vi
      .spyOn(w.usdt, "recheck")
      .mockImplementation(async (seen) =>
        (await recheck(seen)).map((found, index) => (seen[index]?.txHash === hash ? null : found)),
      );
  };
  const drop = async () => {
    const { order, hash } = await fund();
    const lie = lieAbout(hash);
    await scanNewBlock();
    expect(await depositOf(order)).toMatchObject({ status: "failed", recheckSince: expect.any(Date) });
    return { order, hash, lie };
  };
  const compareReserves = async () => {
    for (let run = 0; run < 3; run += 1) {
      await checkReserves(w.ctx, "USDT");
      w.wait(2 * minuteMs);
      await w.scan("USDT");
    }
  };

  it("is looked for even if it was not credited, because it waited for finality", async () => {
    w.usdt.faults.finalizedAbove = 10_000_000n;
    w.usdt.faults.finalizedHeight = 0;
    const order = await w.lock(user, "USDT", "100");
    const hash = w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    w.usdt.mine(80);
    await w.scan("USDT");
    const lie = lieAbout(hash);
    await scanNewBlock();
    lie.mockRestore();
    expect(await depositOf(order)).toMatchObject({ status: "failed", recheckSince: expect.any(Date) });
    w.usdt.faults.finalizedHeight = (await depositOf(order)).blockNumber + 20;
    for (let block = 0; block < 5; block += 1) await scanNewBlock();
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it("is looked for even if they first say that it is in another block", async () => {
    const { order, hash } = await fund();
    const read = w.usdt.recheck.bind(w.usdt);
    let claim: "moved" | "gone" = "moved";
    const lie = vi.spyOn(w.usdt, "recheck").mockImplementation(async (seen) =>
      (await read(seen)).map((found, index) => {
        if (seen[index]?.txHash !== hash) return found;
        if (claim === "gone" || found === null || found instanceof Error) return null;
        return { ...found, blockHash: "0xother", blockNumber: found.blockNumber + 79, confirmations: 1 };
      }),
    );
    await scanNewBlock();
    expect(await depositOf(order)).toMatchObject({ status: "pending" });
    claim = "gone";
    await scanNewBlock();
    expect(await depositOf(order)).toMatchObject({ status: "failed", recheckSince: expect.any(Date) });
    lie.mockRestore();
    for (let block = 0; block < 3; block += 1) await scanNewBlock();
    expect(await depositOf(order)).toMatchObject({ status: "confirmed", recheckSince: null });
  });

  it("is listed for collection again, even though its address looked empty in the meantime", async () => {
    const { order, lie } = await drop();
    const read = w.usdt.readHoldings.bind(w.usdt);
    const empty = vi.spyOn(w.usdt, "readHoldings").mockImplementation(async (addresses, height) => {
      const held = await read(addresses, height);
      return held && { ...held, atAddresses: new Map([...held.atAddresses].map(([address]) => [address, 0n])) };
    });
    await checkReserves(w.ctx, "USDT");
    empty.mockRestore();
    lie.mockRestore();
    for (let block = 0; block < 2; block += 1) await scanNewBlock();
    expect(await depositOf(order)).toMatchObject({ status: "confirmed", emptyAtHeight: null });
    await compareReserves();
    expect(await alertsAbout("reserves")).toEqual([]);
  });

  it("is credited again once they find it, even though its order has expired and no scan reads its block", async () => {
    const { order, lie } = await drop();
    w.wait(33 * minuteMs);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("expired");
    lie.mockRestore();
    await scanNewBlock();
    expect(await w.see(user, order.id)).toMatchObject({ status: "needs_decision", decision: { reason: "underpaid" } });
    expect(await getBalance(w.ctx.db, "MOB", reservedFor(order.id))).toBeGreaterThan(order.targetAmount);
    await scanNewBlock();
    expect(await depositOf(order)).toMatchObject({ status: "confirmed", recheckSince: null });
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  });

  it("gives its owner the full time to decide, even if an earlier deadline has passed", async () => {
    const { order, lie } = await drop();
    w.wait(73 * hourMs);
    await w.tick();
    lie.mockRestore();
    for (let block = 0; block < 3; block += 1) await scanNewBlock();
    await w.tick();
    const { status, decision } = await w.see(user, order.id);
    expect(status).toBe("needs_decision");
    const left = Date.parse(decision?.deadline ?? "") - (await w.ctx.clock.now(w.ctx.db)).getTime();
    expect(left).toBeGreaterThan(71 * hourMs);
  });

  it("raises an alert, and is a surplus as long as it is at its funding address", async () => {
    const { order, hash } = await drop();
    expect(await alertsAbout("deposit:")).toMatchObject([
      {
        orderId: order.id,
        reason: expect.stringContaining(`A credited deposit of 60 USDT is no longer on the chain (${hash}).`),
        action: expect.stringContaining("ETH_RPC_URLS"),
      },
    ]);
    await compareReserves();
    expect(await alertsAbout("surplus:")).toHaveLength(1);
    w.wait(2 * dayMs);
    await w.scan("USDT");
    await compareReserves();
    expect(await alertsAbout("deposit:")).toHaveLength(1);
    expect(await alertsAbout("surplus:")).toHaveLength(1);
  });

  it("is looked for until a day has passed and its address was empty after a final block", async () => {
    const { order, hash } = await fund();
    w.usdt.reorgAway(hash);
    await scanNewBlock();
    const recheck = vi.spyOn(w.usdt, "recheck");
    w.wait(dayMs - hourMs);
    await w.tick();
    expect(recheck).toHaveBeenCalled();
    expect([...(await listUncollected(w.ctx.db, "USDT")).keys()]).toEqual([order.fundingAddress]);
    await checkReserves(w.ctx, "USDT");
    expect(await listUncollected(w.ctx.db, "USDT")).toEqual(new Map());
    expect(await alertsAbout("deposit:")).toHaveLength(1);
    w.wait(2 * hourMs);
    await w.tick();
    expect(await depositOf(order)).toMatchObject({ status: "failed", recheckSince: null });
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    recheck.mockClear();
    await scanNewBlock();
    expect(recheck).not.toHaveBeenCalled();
  });

  it("is still looked for if it was seen again and left the chain before it was credited", async () => {
    const { order, hash, lie } = await drop();
    lie.mockRestore();
    w.usdt.reorgAway(hash);
    w.usdt.deposit(order.fundingAddress, 60_000_000n, { txHash: hash });
    await w.scan("USDT");
    expect((await depositOf(order)).status).toBe("pending");
    w.usdt.reorgAway(hash);
    await w.scan("USDT");
    expect(await depositOf(order)).toMatchObject({ status: "failed", recheckSince: expect.any(Date) });
    expect(await alertsAbout("deposit:")).toHaveLength(1);
  });
});
