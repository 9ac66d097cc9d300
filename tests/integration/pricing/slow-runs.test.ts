import { describe, expect, it } from "vitest";
import { getChainState } from "~/exchange.server/db/chain-state";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { getLatestRate, refreshRate } from "~/exchange.server/pricing/rates";
import { addMs, dayMs } from "~/lib/durations";
import { deferred } from "../../support/deferred";
import { forAllTests } from "../../support/for-tests";
import { openOrders } from "../../support/orders-harness";

describe("T44 a run that was slow", () => {
  const w = forAllTests(() => openOrders("PGlite"));

  it("does not replace the rate that a later run has read", async () => {
    const [read, resumed] = [deferred(), deferred()];
    const getRate = async () => {
      const rate = { rate: 300_000_000_000n, at: await w.ctx.clock.now(w.ctx.db) };
      read.resolve();
      await resumed.promise;
      return rate;
    };
    const slow = refreshRate({ ...w.ctx, rateSource: { getRate } });
    await read.promise;
    w.wait(20_000);
    await w.setRate(360_000_000_000n);
    resumed.resolve();
    await slow;
    expect(await getLatestRate(w.ctx.db)).toMatchObject({ rate: 360_000_000_000n });
    await w.setRate(350_000_000_000n);
    expect(await getLatestRate(w.ctx.db)).toMatchObject({ rate: 350_000_000_000n });
  });

  it("does not replace the state of the wallet that a later run has read, because its own is as old as its start", async () => {
    const [read, resumed] = [deferred(), deferred()];
    const { readWallet } = w.usdt;
    w.usdt.readWallet = async () => {
      const wallet = await readWallet();
      read.resolve();
      await resumed.promise;
      return wallet;
    };
    const slow = checkWallet(w.ctx, "USDT");
    await read.promise;
    w.usdt.readWallet = readWallet;
    w.wait(90_000);
    w.usdt.faults.paymentBlockReason = "Tether has paused all USDT transfers.";
    const startedAt = await w.ctx.clock.now(w.ctx.db);
    await checkWallet(w.ctx, "USDT");
    const later = await getChainState(w.ctx.db, "USDT");
    resumed.resolve();
    await slow;
    const state = await getChainState(w.ctx.db, "USDT");
    expect(state).toEqual(later);
    expect(state?.paymentBlockReason).toBe("Tether has paused all USDT transfers.");
    expect(Math.abs((state?.walletCheckedAt?.getTime() ?? 0) - startedAt.getTime())).toBeLessThan(1_000);
    w.usdt.faults.paymentBlockReason = null;
    await checkWallet(w.ctx, "USDT");
    expect((await getChainState(w.ctx.db, "USDT"))?.paymentBlockReason).toBeNull();
  });

  it("replaces a state whose time is from before the database's clock was corrected (T61)", async () => {
    const now = await w.ctx.clock.now(w.ctx.db);
    await w.ctx.db.update(chainStates).set({ walletCheckedAt: addMs(now, dayMs) });
    await checkWallet(w.ctx, "USDT");
    const { walletCheckedAt } = (await getChainState(w.ctx.db, "USDT")) ?? {};
    expect(walletCheckedAt?.getTime()).toBeLessThan(now.getTime() + 60_000);
  });
});
