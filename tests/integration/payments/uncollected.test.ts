import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { checkReserves } from "~/exchange.server/payments/reserves/check-reserves";
import { getOffReason } from "~/exchange.server/switches/switches";
import { forEachTest } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

/** Blocks after which the fake chain calls a block final if its nodes do not say which one is. */
const settled = 5;

describe("a funding address whose deposit an operator collects", () => {
  const w = forEachTest(createPaymentsHarness);
  /** The addresses and blocks that were requested. */
  let reads: [addresses: string[], height?: number][];
  /** The addresses from which deposits were collected, and in which block. */
  let collected: Map<string, { amount: bigint; height: number }>;
  beforeEach(async () => {
    reads = [];
    collected = new Map();
    const { readHoldings } = w.usdt;
    w.usdt.readHoldings = async (addresses, atBlock) => {
      reads.push(atBlock === undefined ? [addresses] : [addresses, atBlock]);
      const holdings = await readHoldings(addresses, atBlock);
      if (!holdings) return null;
      for (const [address, { amount, height }] of collected) {
        if (holdings.height < height) continue;
        holdings.wallet += amount;
        if (addresses.includes(address)) holdings.atAddresses.set(address, 0n);
      }
      return holdings;
    };
  });
  afterEach(async () => {
    expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
    expect(await w.checkBooks()).toEqual([]);
  });

  const getHeight = async () => (await w.usdt.scan(null, async () => new Set())).cursor.height;
  /** A funding address with a deposit; the order is paid out. */
  const fund = async () => {
    const order = await w.planPayout("MOB");
    await w.tick();
    return order;
  };
  const collect = async ({ fundingAddress, sourceAmount }: Awaited<ReturnType<typeof fund>>) => {
    w.usdt.mine();
    collected.set(fundingAddress, { amount: sourceAmount, height: await getHeight() });
  };
  /** Compares the books with the chain; returns what was read. */
  const check = async () => {
    reads = [];
    await checkReserves(w.ctx, "USDT");
    return reads;
  };

  it("is read until it was empty after a final block, and again after its next deposit", async () => {
    const order = await fund();
    const address = order.fundingAddress;
    w.usdt.mine(10);
    expect(await check()).toEqual([[[address]]]);
    await collect(order);
    const height = await getHeight();
    expect(await check()).toEqual([[[address]], [[address], height - settled]]);
    w.usdt.mine(settled);
    expect(await check()).toEqual([[[address]], [[address], height]]);
    expect(await check()).toEqual([[[]]]);

    w.usdt.deposit(address, 1_000_000n);
    collected.clear();
    w.usdt.faults.stolen = -order.sourceAmount;
    await w.scan("USDT");
    expect(await check()).toEqual([[[address]]]);
  });

  it("is not read at a final block that is older than its deposit", async () => {
    const order = await fund();
    // The deposit is three blocks deep, and collected in the next one.
    await collect(order);
    expect(await check()).toEqual([[[order.fundingAddress]]]);
  });

  it("is done with as soon as the block of its deposit is final, if it was collected in that block", async () => {
    const order = await w.lock(await w.createUser(), "USDT", "100");
    w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    const height = await getHeight();
    collected.set(order.fundingAddress, { amount: order.sourceAmount, height });
    w.usdt.mine(settled);
    await w.scan("USDT");
    expect(await check()).toEqual([[[order.fundingAddress]], [[order.fundingAddress], height]]);
    expect(await check()).toEqual([[[]]]);
  });

  it("is read until the nodes call the block of its collection final", async () => {
    const order = await fund();
    await collect(order);
    const height = await getHeight();
    w.usdt.mine(10 * settled);
    w.usdt.faults.finalizedHeight = height - 1;
    await w.scan("USDT");
    for (let run = 0; run < 2; run += 1) {
      expect(await check()).toEqual([[[order.fundingAddress]], [[order.fundingAddress], height - 1]]);
    }
    w.usdt.faults.finalizedHeight = height;
    await w.scan("USDT");
    await check();
    expect(await check()).toEqual([[[]]]);
  });

  it("is still read after another address was collected before it", async () => {
    const [early, late] = [await fund(), await fund()];
    w.usdt.mine(settled);
    await collect(early);
    w.usdt.mine(settled - 1);
    await collect(late);
    await check();
    expect(await check()).toMatchObject([[[late.fundingAddress]], [[late.fundingAddress], expect.any(Number)]]);
  });

  it.each([
    ["knows", async () => null],
    ["still has", () => Promise.reject(new Error("The block is pruned."))],
  ])("is still read while none of the nodes %s the final block", async (_, read) => {
    const order = await fund();
    await collect(order);
    w.usdt.mine(settled);
    const { readHoldings } = w.usdt;
    w.usdt.readHoldings = (addresses, height) => (height === undefined ? readHoldings(addresses, height) : read());
    for (let run = 0; run < 2; run += 1) expect(await check()).toEqual([[[order.fundingAddress]]]);
    w.usdt.readHoldings = readHoldings;
    await check();
    expect(await check()).toEqual([[[]]]);
  });
});
