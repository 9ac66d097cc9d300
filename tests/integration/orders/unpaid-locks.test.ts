import { describe, expect, it, vi } from "vitest";
import { getBalance, reservedFor, treasury } from "~/exchange.server/ledger/ledger";
import { forAllTests } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";

describe("unpaid locks", () => {
  // We have 1,000,000 USDT and 1,000,000 MOB; at 0.35 USDT per MOB, 10,000 USDT are 28,571 MOB.
  const w = forAllTests(() => openOrders("PostgreSQL"));

  /** The account has to wait for its next lock, but only for a minute. */
  async function expectToWaitAMinute(user: User): Promise<void> {
    await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject({ code: "rate_limited" });
    w.wait(61_000);
    await w.tick();
    await w.refreshRate();
    await w.cancel((await w.lock(user, "USDT", "20")).id);
  }

  it("T43 reserve at most 2% of our liquidity for one account, or one order", async () => {
    const hoarder = await w.createUser();
    const first = await w.lock(hoarder, "USDT", "10000");
    await expect(w.lock(hoarder, "USDT", "10")).rejects.toMatchObject({
      code: "too_many_orders",
      message: "Your unpaid swaps already reserve as much MOB as one account can. Pay for one or cancel one first.",
    });
    // The other asset and other accounts are not affected.
    await w.lock(hoarder, "MOB", "100");
    const other = await w.createUser();
    for (const amount of ["3000", "3000", "800"]) await w.lock(other, "USDT", amount);
    await expect(w.lock(other, "USDT", "3000")).rejects.toMatchObject({ code: "too_many_orders" });
    await w.cancel(first.id);
    await w.lock(hoarder, "USDT", "10");
  });

  it("T43 leave four fifths of our liquidity to others when seven accounts lock all they can", async () => {
    const before = await getBalance(w.ctx.db, "MOB", treasury);
    let locked = 0;
    for (let i = 0; i < 7; i += 1) {
      const user = await w.createUser();
      for (let k = 0; k < 5; k += 1) {
        const error: unknown = await w.lock(user, "USDT", "5000").then(
          () => null,
          (refused: unknown) => refused,
        );
        if (error === null) locked += 1;
        else expect(error).toMatchObject({ code: "too_many_orders" });
      }
    }
    // 14,286 MOB each; a second one would be more than 2% of our million.
    expect(locked).toBe(7);
    expect((await getBalance(w.ctx.db, "MOB", treasury)) * 10n).toBeGreaterThan(before * 8n);
  });

  it("T43 count as unpaid after a tiny payment, and make the account wait when their time is over", async () => {
    const { lockTtlMs, graceMs } = w.ctx.config;
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "10000");
    w.usdt.deposit(order.fundingAddress, 1n);
    for (let block = 0; block < 4; block += 1) {
      w.usdt.mine();
      await w.tick();
    }
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { reason: "below_minimum" },
    });
    await expect(w.lock(user, "USDT", "10000")).rejects.toMatchObject({ code: "too_many_orders" });
    w.wait(lockTtlMs + graceMs + 1_000);
    await w.tick();
    await w.refreshRate();
    await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject({ code: "rate_limited" });
    w.wait(60_000);
    await w.tick();
    await w.refreshRate();
    await w.lock(user, "USDT", "20");
  });

  it("T43 count as unpaid while a tiny payment is being confirmed", async () => {
    const user = await w.createUser();
    const locked = [];
    for (let i = 0; i < w.ctx.config.maxWaitingOrders; i += 1) locked.push(await w.lock(user, "USDT", "20"));
    // One transaction, so that none is confirmed before the others are seen.
    for (const [ordinal, order] of locked.entries()) {
      w.usdt.deposit(order.fundingAddress, 1n, { txHash: "almost-nothing", ordinal });
    }
    await w.tick();
    for (const { id } of locked) expect((await w.see(user, id)).status).toBe("confirming");
    await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject({ code: "too_many_orders" });
    const hoarder = await w.createUser();
    const large = await w.lock(hoarder, "USDT", "10000");
    w.usdt.deposit(large.fundingAddress, 1n);
    await w.tick();
    await expect(w.lock(hoarder, "USDT", "10000")).rejects.toMatchObject({ code: "too_many_orders" });
  });

  it("T43 count as waiting while there is time to pay, even when a tiny payment is confirmed", async () => {
    const user = await w.createUser();
    for (let i = 0; i < w.ctx.config.maxWaitingOrders; i += 1) {
      const order = await w.lock(user, "USDT", "20");
      w.usdt.deposit(order.fundingAddress, 1n);
    }
    await w.settle();
    await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject({ code: "too_many_orders" });
  });

  it("T43 give back their reserve when their time is over, however many tiny payments arrive", async () => {
    const { lockTtlMs, graceMs } = w.ctx.config;
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    for (let block = 0; block < 20; block += 1) {
      w.usdt.deposit(order.fundingAddress, 1n);
      w.wait((lockTtlMs + graceMs) / 10);
      await w.tick();
    }
    expect(await w.see(user, order.id)).toMatchObject({ status: "needs_decision", decision: { reason: "late" } });
    expect(await getBalance(w.ctx.db, "MOB", reservedFor(order.id))).toBe(0n);
  });

  it.each([
    { what: "too little", isLate: false, amount: 1n },
    { what: "almost nothing, late", isLate: true, amount: 1n },
  ])("T43 make the account wait after a refund of $what", async ({ isLate, amount }) => {
    const { lockTtlMs, graceMs } = w.ctx.config;
    await w.refreshRate();
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "20");
    if (isLate) {
      w.wait(lockTtlMs + graceMs + 1_000);
      await w.tick();
    }
    w.usdt.deposit(order.fundingAddress, amount);
    for (let block = 0; block < 4; block += 1) {
      w.usdt.mine();
      await w.tick();
    }
    await w.decide(user, order.id, { choice: "refund" });
    for (let block = 0; block < 6; block += 1) {
      await w.tick();
      w.usdt.mine();
    }
    await w.refreshRate();
    expect((await w.see(user, order.id)).status).toBe("refunded");
    await expectToWaitAMinute(user);
  });

  /** Locks 100 USDT, pays part of it, and has that part refunded or swapped. */
  const payInPart = async (user: User, amount: bigint, choice: string) => {
    await w.refreshRate();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, amount);
    for (let round = 0; round < 2; round += 1) {
      w.usdt.mine(3);
      await w.tick();
    }
    expect(await w.see(user, order.id)).toMatchObject({ status: "needs_decision", decision: { reason: "underpaid" } });
    await w.decide(user, order.id, { choice: choice as "accept" | "refund" });
    for (let round = 0; round < 3; round += 1) {
      await w.tick();
      w.usdt.mine(3);
      w.mob.mine();
    }
    await w.refreshRate();
    expect((await w.see(user, order.id)).status).toBe(choice === "accept" ? "completed" : "refunded");
  };

  it.each([
    { choice: "refund", amount: 49_000_000n },
    { choice: "refund", amount: 99_000_000n },
    { choice: "accept", amount: 49_000_000n },
  ])("T43 make the account wait after many that were paid in part: $choice of $amount", async ({ choice, amount }) => {
    const user = await w.createUser();
    for (let mistakes = 0; mistakes < 6; mistakes += 1) await payInPart(user, amount, choice);
    await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject({
      code: "rate_limited",
      message: expect.stringContaining("in a minute."),
    });
    w.wait(61_000);
    await w.tick();
    await payInPart(user, amount, choice);
    await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject({
      code: "rate_limited",
      message: expect.stringContaining("in 2 minutes."),
    });
  });

  it("do not make the account wait after half was swapped", async () => {
    const user = await w.createUser();
    for (let orders = 0; orders < 6; orders += 1) await payInPart(user, 50_000_000n, "accept");
    await w.cancel((await w.lock(user, "USDT", "20")).id);
  });

  it("T43 make the account wait while little was paid for many and the rest did not arrive in time", async () => {
    const { lockTtlMs, graceMs } = w.ctx.config;
    const user = await w.createUser();
    for (let mistakes = 0; mistakes < 6; mistakes += 1) {
      await w.refreshRate();
      const order = await w.lock(user, "USDT", "100");
      w.usdt.deposit(order.fundingAddress, 10_100_000n);
      w.usdt.mine();
      await w.tick();
      w.wait(lockTtlMs + graceMs + 1_000);
      for (let block = 0; block < 4; block += 1) {
        w.usdt.mine();
        await w.tick();
      }
      expect((await w.see(user, order.id)).status).toBe("needs_decision");
    }
    await w.refreshRate();
    await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject({ code: "rate_limited" });
  });

  it("T43 make the account wait once a tiny payment is confirmed, however long that takes", async () => {
    const { lockTtlMs, graceMs } = w.ctx.config;
    const user = await w.createUser();
    await w.refreshRate();
    const order = await w.lock(user, "USDT", "20");
    w.wait(lockTtlMs);
    w.usdt.deposit(order.fundingAddress, 1n);
    await w.tick();
    w.wait(graceMs + 61_000);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("confirming");
    w.usdt.mine();
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("needs_decision");
    await w.refreshRate();
    await expectToWaitAMinute(user);
  });

  it("do not make the account wait for as long as it watches the offers for one that was paid late", async () => {
    const { lockTtlMs, graceMs } = w.ctx.config;
    const user = await w.createUser();
    await w.refreshRate();
    const order = await w.lock(user, "USDT", "20");
    w.wait(lockTtlMs + graceMs + 1_000);
    await w.tick();
    w.usdt.deposit(order.fundingAddress, 20_000_000n);
    w.usdt.mine(3);
    await w.tick();
    await w.refreshRate();
    await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject({ code: "rate_limited" });
    w.wait(61_000);
    await w.tick();
    await w.refreshRate();
    expect(await w.offer(order.id)).toMatchObject({ status: "open" });
    await w.cancel((await w.lock(user, "USDT", "20")).id);
  });

  it("T43 make the account wait longer after each that is cancelled late", async () => {
    await w.refreshRate();
    const user = await w.createUser();
    for (const minutes of [1, 2]) {
      const order = await w.lock(user, "USDT", "20");
      w.wait(w.ctx.config.lockTtlMs - 60_000);
      await w.tick();
      await w.cancel(order.id);
      await w.refreshRate();
      const name = minutes === 1 ? "a minute" : `${minutes} minutes`;
      await expect(w.lock(user, "USDT", "20")).rejects.toMatchObject({
        code: "rate_limited",
        message: expect.stringContaining(`in ${name}.`),
      });
      w.wait(minutes * 60_000);
      await w.tick();
      await w.refreshRate();
    }
  });

  it("T43 make the account wait after many that are cancelled soon, but not after a few", async () => {
    await w.refreshRate();
    const user = await w.createUser();
    for (let corrections = 0; corrections < 6; corrections += 1) {
      const order = await w.lock(user, "USDT", "20");
      w.wait(4 * 60_000);
      await w.tick();
      await w.cancel(order.id);
      await w.refreshRate();
    }
    await expectToWaitAMinute(user);
  });

  it("do not make the account wait again for money that arrives after they have ended", async () => {
    const { lockTtlMs, graceMs } = w.ctx.config;
    const user = await w.createUser();
    const payLater = async (address: string, waitMs: number) => {
      w.wait(waitMs);
      w.usdt.deposit(address, 20_000_000n);
      w.usdt.mine(3);
      await w.tick();
      await w.refreshRate();
    };
    await w.refreshRate();
    const corrected = await w.lock(user, "USDT", "20");
    await w.cancel(corrected.id);
    await payLater(corrected.fundingAddress, 6 * 60_000);
    const late = await w.lock(user, "USDT", "20");
    await payLater(late.fundingAddress, lockTtlMs + graceMs + 1_000);
    await w.decide(user, late.id, { choice: "refund" });
    await w.settle();
    expect((await w.see(user, late.id)).status).toBe("refunded");
    await payLater(late.fundingAddress, 25 * 3_600_000);
    await w.cancel((await w.lock(user, "USDT", "20")).id);
  });

  it("T43 are not made if another one ends unpaid at the same moment", async () => {
    await w.refreshRate();
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "20");
    w.wait(w.ctx.config.lockTtlMs - 60_000);
    await w.tick();
    await w.refreshRate();
    const quote = await w.quote(user, "USDT", "20");
    const chain = w.ctx.chains.USDT;
    const original = chain.getReceiverBlockReason.bind(chain);
    const lookUp = vi.spyOn(chain, "getReceiverBlockReason").mockImplementation(async (address) => {
      await w.cancel(order.id);
      return original(address);
    });
    await expect(w.lockQuote(user, quote.id, "USDT", "key")).rejects.toMatchObject({ code: "rate_limited" });
    expect(lookUp).toHaveBeenCalled();
    lookUp.mockRestore();
  });

  it("T43 are kept while a payment to them is in the mempool, but not forever, and nothing is credited", async () => {
    const { lockTtlMs, graceMs } = w.ctx.config;
    const paying = await w.createUser();
    const kept = await w.lock(paying, "USDT", "20");
    const other = await w.createUser();
    const expired = await w.lock(other, "USDT", "20");
    w.usdt.faults.pending = new Set([kept.fundingAddress]);
    w.wait(lockTtlMs + graceMs + 1_000);
    await w.tick();
    expect((await w.see(other, expired.id)).status).toBe("expired");
    expect(await w.see(paying, kept.id)).toMatchObject({ status: "awaiting_deposit", incoming_txs: [] });
    await w.refreshRate();
    await w.cancel((await w.lock(paying, "USDT", "20")).id);
    w.wait(lockTtlMs + graceMs + 1_000);
    await w.tick();
    expect((await w.see(paying, kept.id)).status).toBe("expired");
    w.usdt.faults.pending = new Set();
  });

  it("expire on time if the node does not report its pending transactions", async () => {
    await w.refreshRate();
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "20");
    w.usdt.faults.pending = null;
    w.wait(w.ctx.config.lockTtlMs + w.ctx.config.graceMs + 1_000);
    await w.tick();
    w.usdt.faults.pending = new Set();
    expect((await w.see(user, order.id)).status).toBe("expired");
  });

  it("make the account wait longer after each that expires, and not after a cancelled one", async () => {
    const user = await w.createUser();
    const { lockTtlMs, graceMs } = w.ctx.config;
    await w.cancel((await w.lock(user, "USDT", "20")).id);
    for (const minutes of [1, 2, 4, 8]) {
      const order = await w.lock(user, "USDT", "20");
      w.wait(lockTtlMs + graceMs + 1_000);
      await w.tick();
      expect((await w.see(user, order.id)).status).toBe("expired");
      const refused = await w.lock(user, "USDT", "20").catch((error: unknown) => error);
      const name = minutes === 1 ? "a minute" : `${minutes} minutes`;
      expect(refused).toMatchObject({
        code: "rate_limited",
        status: 429,
        message: expect.stringMatching(
          new RegExp(`ended without full payment on time\\. You can lock another price in ${name}\\.$`),
        ),
      });
      const { retryAfterSeconds } = refused as { retryAfterSeconds: number };
      expect(retryAfterSeconds).toBeGreaterThan(minutes * 60 - 30);
      w.wait(minutes * 60_000);
      await w.tick();
      await w.refreshRate();
    }
    w.wait(25 * 3_600_000);
    await w.tick();
    await w.lock(user, "USDT", "20");
  });
});
