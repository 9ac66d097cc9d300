import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ScanResult } from "~/exchange.server/chains/gateway";
import { getBalance, post, reservedFor, treasury } from "~/exchange.server/ledger/ledger";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { testDatabases } from "../../support/test-database";

const minute = 60_000;

describe.each(testDatabases)("a deposit discovered after its order expired, on %s", (kind) => {
  const w = forAllTests(() => openOrders(kind));
  let user: User;
  const hidden = new Set<string>();

  beforeAll(async () => {
    const scan = w.usdt.scan.bind(w.usdt);
    w.usdt.scan = async (...args): Promise<ScanResult> => {
      const result = await scan(...args);
      return { ...result, transfers: result.transfers.filter(({ txHash }) => !hidden.has(txHash)) };
    };
  });
  beforeEach(async () => {
    user = await w.createUser();
  });

  /** An expired order whose deposit, made in time, no scan has returned yet. */
  async function expireUnseen(paid = 100_000_000n) {
    const order = await w.lock(user, "USDT", "100");
    const hash = w.usdt.deposit(order.fundingAddress, paid);
    hidden.add(hash);
    await w.tick();
    w.wait(33 * minute);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("expired");
    expect(await getBalance(w.ctx.db, "MOB", reservedFor(order.id))).toBe(0n);
    return { order, reveal: () => hidden.delete(hash) };
  }

  it("is swapped at the locked rate if its block is in time: the chain's time decides", async () => {
    const { order, reveal } = await expireUnseen();
    await w.setRate(700_000_000_000n);
    reveal();
    w.usdt.mine();
    await w.tick();
    await w.settle();
    const done = await w.see(user, order.id);
    expect(done).toMatchObject({ status: "completed" });
    expect(w.mob.paid.filter(({ to }) => to === order.deliveryAddress)).toMatchObject([{ amount: order.targetAmount }]);
    await w.setRate(350_000_000_000n);
  });

  /** Leaves only `left` in the treasury, in base units of MOB. @returns a function that puts the rest back */
  async function drainFunds(left = 0n) {
    const at = await w.ctx.clock.now(w.ctx.db);
    const amount = (await getBalance(w.ctx.db, "MOB", treasury)) - left;
    const move = (from: string, to: string) =>
      w.ctx.db.transaction((tx) =>
        post(tx, { transfers: [{ asset: "MOB", from, to, amount, kind: "float" }], orderId: null, at }),
      );
    await move(treasury, "external");
    return () => move("external", treasury);
  }

  it("is swapped up to the quoted amount, and the rest refunded, if our funds cover only that", async () => {
    const { order, reveal } = await expireUnseen(101_000_000n);
    // The payout, and the network's fee for it.
    const putBack = await drainFunds(order.targetAmount + 400_000_000n);
    reveal();
    await w.scan("USDT");
    expect(await getBalance(w.ctx.db, "MOB", reservedFor(order.id))).toBe(order.targetAmount);
    await w.settle();
    await putBack();
    expect(await w.see(user, order.id)).toMatchObject({
      status: "completed",
      source_amount: "100",
      outgoing_txs: [{ purpose: "payout" }, { purpose: "refund", status: "confirmed" }],
    });
  });

  it("is refunded on request if our funds were used up in the meantime", async () => {
    const { order, reveal } = await expireUnseen();
    const putBack = await drainFunds();
    reveal();
    w.usdt.mine(5);
    await w.tick();
    const asked = await w.see(user, order.id);
    expect(asked).toMatchObject({ status: "needs_decision", decision: { reason: "payout_failed" } });
    await putBack();
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("refunded");
  });

  it("is late if its block is after the deadline", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.wait(33 * minute);
    await w.tick();
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({ status: "needs_decision", decision: { reason: "late" } });
  });

  it.each([
    ["expired", 0n],
    ["needs_decision", 60_000_000n],
  ])("is in time if a reorg has moved it to an earlier block before it was credited: %s", async (status, late) => {
    const order = await w.lock(user, "USDT", "100");
    w.wait(31 * minute + 30_000);
    const inTime = await w.ctx.clock.now(w.ctx.db);
    w.wait(minute);
    await w.tick();
    if (late > 0n) {
      w.usdt.deposit(order.fundingAddress, late);
      w.usdt.mine(3);
      await w.tick();
    }
    const txHash = w.usdt.deposit(order.fundingAddress, 100_000_000n);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe(status);
    w.usdt.reorgAway(txHash);
    w.usdt.deposit(order.fundingAddress, 100_000_000n, { txHash, at: inTime });
    await w.scan("USDT");
    expect((await w.see(user, order.id)).status).toBe("confirming");
    expect(await getBalance(w.ctx.db, "MOB", reservedFor(order.id))).toBeGreaterThan(order.targetAmount);
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it.each([
    ["", 10_000],
    [", also one that looked for news only", 0],
  ])("is in time on MobileCoin if the scan that finds it started before the deadline%s", async (_, sinceLastScan) => {
    const order = await w.lock(user, "MOB", "100");
    w.wait(31 * minute + 40_000);
    await w.scan("MOB");
    w.wait(sinceLastScan);
    w.mob.deposit(order.fundingAddress, order.sourceAmount);
    const { scan } = w.mob;
    w.mob.scan = (...args) => {
      w.mob.scan = scan;
      w.wait(30_000);
      return scan(...args);
    };
    await w.scan("MOB");
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });
});
