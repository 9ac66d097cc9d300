import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { ChainTransfer, PaymentState } from "~/exchange.server/chains/gateway";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { writeOffDeposit } from "~/exchange.server/deposits/rechecks/write-off-deposit";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { external, getBalance, post, treasury } from "~/exchange.server/ledger/ledger";
import { checkReserves, listReserveChecks } from "~/exchange.server/payments/reserves/check-reserves";
import { getOffReason, switchOff } from "~/exchange.server/switches/switches";
import { minuteMs } from "~/lib/durations";
import { formatAmount } from "~/lib/money";
import { forEachTest } from "../../support/for-tests";
import { openOrders, type User } from "../../support/orders-harness";
import { switchOn } from "../../support/switch-on";

const assets = ["USDT", "MOB"] as const;
const second = 1_000;

describe("the books and the chains", () => {
  const w = forEachTest(() => openOrders("PostgreSQL"));
  let user: User;
  beforeEach(async () => {
    user = await w.createUser();
  });

  const check = async () => {
    for (const asset of assets) await checkReserves(w.ctx, asset);
    return listReserveChecks(w.ctx.db);
  };
  const fund = async (source: "USDT" | "MOB") => {
    const order = await w.lock(user, source, "100");
    w.chains[source].deposit(order.fundingAddress, order.sourceAmount);
    return order;
  };
  const subjects = async () => (await listAlerts(w.ctx.db)).map(({ subject }) => subject);

  it("agree to the last unit at every step of a swap, with payments and deposits on their way", async () => {
    const orders = [await fund("USDT"), await fund("MOB")];
    w.usdt.faults.broadcast = "accept_then_reject";
    for (let step = 0; step < 8; step += 1) {
      if (step === 5) w.usdt.faults.broadcast = "ok";
      w.usdt.mine();
      w.mob.mine();
      await w.tick();
      for (const row of await check())
        expect(row, `step ${step}`).toMatchObject({ shortSince: null, surplusSince: null });
    }
    for (const { id } of orders) expect((await w.see(user, id)).status).toBe("completed");
    for (const { owed, inWallet, uncollected } of await check()) expect(inWallet + uncollected).toBe(owed);
    expect((await listReserveChecks(w.ctx.db)).find(({ asset }) => asset === "USDT")?.uncollected).toBe(100_000_000n);
  });

  it.each(assets)("stop payments and say where, if one unit of %s has left the wallet (T57)", async (asset) => {
    await fund("USDT");
    await w.settle();
    await check();
    w.chains[asset].faults.stolen = 1n;
    await check();
    expect(await getOffReason(w.ctx.db, "payments"), "it may be a payment on its way").toBeNull();
    w.wait(11 * second);
    await check();
    const row = (await check()).find((one) => one.asset === asset);
    if (!row) throw new Error("nothing was compared");
    const [unit, owed, held, inWallet] = [1n, row.owed, row.owed - 1n, row.inWallet].map((n) => formatAmount(n, asset));
    const parts = asset === "USDT" ? ` (${inWallet} in the wallet, 100 at funding addresses)` : "";
    expect(await getOffReason(w.ctx.db, "payments")).toBe(
      `${unit} ${asset} is missing: the books say ${owed}, but at block ${row.height} we hold ${held}${parts}.`,
    );
    expect(await subjects()).toEqual([`reserves:${asset}`]);
    await expect(w.lock(user, "USDT", "50")).rejects.toMatchObject({ code: "swaps_stopped" });

    // The money is back: the alert ends, and an operator switches payments on again.
    w.chains[asset].faults.stolen = 0n;
    await check();
    expect(await subjects()).toEqual([]);
    await switchOn(w.ctx.db, "payments");
    w.wait(60 * second);
    await check();
    expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
  });

  it.each(assets)(
    "stop payments even if a waiting deposit of %s exceeds what has left the wallet (T57)",
    async (asset) => {
      await w.settle();
      await check();
      Object.assign(w.chains[asset], { requiredConfirmations: 3 });
      const order = await fund(asset);
      w.chains[asset].mine();
      await w.tick();
      expect((await w.see(user, order.id)).status).toBe("confirming");
      w.wait(11 * second);
      const lookUp = vi.spyOn(w.chains[asset], "recheck");
      for (const row of await check()) expect(row).toMatchObject({ shortSince: null, surplusSince: null });
      expect(lookUp, "nothing is missing").not.toHaveBeenCalled();
      w.chains[asset].faults.stolen = (order.sourceAmount * 99n) / 100n;
      await check();
      w.wait(11 * second);
      await check();
      expect(await getOffReason(w.ctx.db, "payments")).toMatch(
        new RegExp(`^99 ${asset} is missing: .* \\(and 100 that are not credited yet\\), but at block`),
      );
    },
  );

  it.each<[what: string, respond: (known: ChainTransfer) => ChainTransfer | Error | null]>([
    ["that only one node claims to know", (known) => ({ ...known, disputed: true })],
    ["that the nodes no longer have", () => null],
    ["that cannot be looked up", () => new Error("No node responds.")],
    ["in a later block than the balances", (known) => ({ ...known, blockNumber: known.blockNumber + 1_000 })],
  ])("do not stop payments for a deposit %s (T55)", async (_, respond) => {
    const order = await fund("USDT");
    w.usdt.mine();
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("confirming");
    // The money of the deposit is not there.
    w.usdt.faults.stolen = 100_000_000n;
    const { recheck } = w.usdt;
    w.usdt.recheck = async (keys) =>
      (await recheck(keys)).map((one) => (one && !(one instanceof Error) ? respond(one) : one));
    const checkTwice = async () => {
      await check();
      w.wait(11 * second);
      await check();
    };
    await checkTwice();
    expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
    w.usdt.faults.stolen += 1n;
    await checkTwice();
    expect(await getOffReason(w.ctx.db, "payments")).toMatch(
      /^0\.000001 USDT is missing: .* \(and up to 100 that are not credited yet\), but at block/,
    );
  });

  it("do not stop payments for deposits that are recorded while the balances are read (T55)", async () => {
    await check();
    const { readHoldings } = w.usdt;
    for (const [isCredited, isLater] of [
      [false, false],
      [true, false],
      [true, true],
      [false, false],
    ]) {
      const order = await w.lock(user, "USDT", "100");
      const arrive = () => {
        w.usdt.deposit(order.fundingAddress, order.sourceAmount);
        if (isCredited) w.usdt.mine(3);
      };
      if (!isLater) arrive();
      w.usdt.readHoldings = async (addresses) => {
        const holdings = await readHoldings(addresses);
        if (isLater) arrive();
        await w.scan("USDT");
        return holdings;
      };
      await check();
      w.usdt.readHoldings = readHoldings;
      expect((await w.see(user, order.id)).status).toBe(isCredited ? "paying_out" : "confirming");
      expect((await listReserveChecks(w.ctx.db)).filter(({ shortSince }) => shortSince !== null)).toEqual([]);
      w.wait(11 * second);
      await w.refreshRate();
      await w.tick();
    }
    await check();
    expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
  });

  it("stop payments even if many waiting deposits together exceed what has left the wallet (T57)", async () => {
    w.usdt.faults.finalizedAbove = 1n;
    w.usdt.faults.finalizedHeight = 0;
    const order = await w.lock(user, "USDT", "100");
    for (let i = 0; i < 120; i += 1) w.usdt.deposit(order.fundingAddress, 10_000_000n);
    await w.scan("USDT");
    await check();
    const lookUp = vi.spyOn(w.usdt, "recheck");
    const countsFor = async (stolen: bigint) => {
      lookUp.mockClear();
      w.usdt.faults.stolen = stolen;
      await check();
      return lookUp.mock.calls.map(([keys]) => keys.length);
    };
    expect(await countsFor(701_000_000n), "the first ones show that money is missing").toEqual([50]);
    expect(await countsFor(1n)).toEqual([50, 50, 20]);
    w.wait(11 * second);
    await check();
    expect(await getOffReason(w.ctx.db, "payments")).toMatch(/^0\.000001 USDT is missing/);
  });

  it("stop payments even if one node claims that an open payment has taken what is missing (T57)", async () => {
    const order = await fund("MOB");
    w.usdt.faults.broadcast = "drop";
    await w.tick();
    await w.tick();
    expect((await w.see(user, order.id)).outgoing_txs).toMatchObject([{ status: "pending" }]);
    await check();
    w.usdt.faults.stolen = order.targetAmount;
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async () => {
      return { kind: "in_block", blockNumber: 1, blockHash: "claimed", confirmations: 1, disputed: true };
    };
    await check();
    w.wait(11 * second);
    await check();
    w.usdt.getPaymentState = getPaymentState;
    expect(await getOffReason(w.ctx.db, "payments")).toContain("USDT is missing");
  });

  it("stop payments even if none of the nodes can look up an open payment (T57)", async () => {
    await fund("MOB");
    w.usdt.faults.broadcast = "drop";
    await w.tick();
    await w.tick();
    await check();
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async () => {
      throw new Error("The node has pruned the receipt.");
    };
    w.usdt.faults.stolen = 500_000_000n;
    await check();
    w.wait(11 * second);
    await check();
    w.usdt.getPaymentState = getPaymentState;
    expect(await getOffReason(w.ctx.db, "payments")).toMatch(/^500 USDT is missing: the books say/);
  });

  it.each(assets)("alert an operator when nothing could be compared for ten minutes: %s (T57)", async (asset) => {
    await check();
    const { readHoldings } = w.chains[asset];
    for (const error of [null, new Error("No node responds.")]) {
      w.chains[asset].readHoldings = async () => {
        if (error) throw error;
        return null;
      };
      const tryToCheck = () =>
        error
          ? expect(checkReserves(w.ctx, asset)).rejects.toBe(error)
          : expect(checkReserves(w.ctx, asset)).resolves.toBeUndefined();
      await tryToCheck();
      expect(await subjects()).toEqual([]);
      w.wait(600 * second);
      await tryToCheck();
      expect(await listAlerts(w.ctx.db)).toMatchObject([
        {
          subject: `unchecked:${asset}`,
          reason: expect.stringMatching(`^Our ${asset} holdings have not been compared`),
        },
      ]);
      w.chains[asset].readHoldings = readHoldings;
      await check();
      expect(await subjects()).toEqual([]);
    }
  });

  describe("after the database's clock was corrected, which was a day ahead (T61)", () => {
    const day = 86_400 * second;
    const checkAhead = async () => {
      w.wait(day);
      await check();
      w.wait(-day);
    };
    const now = () => w.ctx.clock.now(w.ctx.db);

    it("stop payments as soon for a shortage that was found before", async () => {
      await check();
      w.mob.faults.stolen = 1n;
      await checkAhead();
      await check();
      expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
      w.wait(11 * second);
      await check();
      expect(await getOffReason(w.ctx.db, "payments")).toMatch(/^0\.0+1 MOB is missing/);
    });

    it("store when they agreed last", async () => {
      await check();
      await checkAhead();
      const later = new Date((await now()).getTime() + minuteMs);
      for (const { checkedAt } of await check()) expect(checkedAt < later).toBe(true);
    });

    it("alert an operator as soon when nothing can be compared", async () => {
      await check();
      await checkAhead();
      w.mob.readHoldings = async () => null;
      await check();
      w.wait(599 * second);
      await check();
      expect(await subjects()).toEqual([]);
      w.wait(2 * second);
      await check();
      expect(await subjects()).toEqual(["unchecked:MOB"]);
    });
  });

  it("alert an operator when the books could not be read for ten minutes (T57)", async () => {
    await check();
    const rename = (from: string, to: string) => w.ctx.db.execute(sql.raw(`alter table ${from} rename to ${to}`));
    await rename("consolidations", "unreadable");
    for (let i = 0; i < 2; i += 1) {
      await expect(checkReserves(w.ctx, "USDT")).rejects.toThrow();
      w.wait(600 * second);
    }
    expect(await subjects()).toEqual(["unchecked:USDT"]);
    await rename("unreadable", "consolidations");
    await check();
    expect(await subjects()).toEqual([]);
  });

  describe("while too few nodes confirm a payment that has left the wallet", () => {
    let dispute: { isOn: boolean; respond: (state: PaymentState & { kind: "in_block" }) => PaymentState };
    let unpaid: Awaited<ReturnType<typeof fund>>;
    const checkTwice = async () => {
      await check();
      w.wait(11 * second);
      await check();
    };
    /** Stops payments: our payout is in a block, and the nodes do not agree on that. */
    beforeEach(async () => {
      unpaid = await w.lock(user, "USDT", "100");
      const order = await fund("MOB");
      const { getPaymentState } = w.usdt;
      dispute = { isOn: true, respond: (state) => ({ ...state, confirmations: 1, disputed: true }) };
      w.usdt.getPaymentState = async (payment) => {
        const state = await getPaymentState(payment);
        return dispute.isOn && state.kind === "in_block" ? dispute.respond(state) : state;
      };
      await w.tick();
      await w.tick();
      expect(w.usdt.paid).toMatchObject([{ to: order.deliveryAddress }]);
      await checkTwice();
      expect(await getOffReason(w.ctx.db, "payments")).toMatch(
        /^34\.\d+ USDT is missing, unless our own payments .* nothing is missing\.$/,
      );
      expect(await subjects()).toEqual(["reserves:USDT"]);
    });

    it("stop payments, and start them again automatically when the nodes agree (T55)", async () => {
      const failToRespond = () => {
        throw new Error("No node responds.");
      };
      for (const respond of [dispute.respond, () => ({ kind: "unknown" }) as const, failToRespond]) {
        dispute.respond = respond;
        await checkTwice();
        expect(await getOffReason(w.ctx.db, "payments")).toMatch(/^34\.\d+ USDT is missing, unless our own payments/);
      }
      dispute.isOn = false;
      await check();
      expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
      expect(await subjects()).toEqual([]);
      await w.refreshRate();
      await w.settle();
      await w.lock(user, "USDT", "50");
    });

    it("wait for an operator if more is missing than such payments can have taken (T57)", async () => {
      w.usdt.faults.stolen = 1n;
      await checkTwice();
      expect(await getOffReason(w.ctx.db, "payments")).toMatch(/^34\.\d+ USDT is missing: the books say/);
      dispute.isOn = false;
      await checkTwice();
      expect(await getOffReason(w.ctx.db, "payments"), "one unit is missing still").not.toBeNull();
      w.usdt.faults.stolen = 0n;
      await check();
      expect(await subjects()).toEqual([]);
      expect(await getOffReason(w.ctx.db, "payments")).not.toBeNull();
    });

    it("wait for an operator once it is clear that the payment has not taken what is missing (T57)", async () => {
      const [paid] = w.usdt.paid;
      w.usdt.loseFromChain(paid?.hash ?? "");
      w.usdt.faults.stolen = paid?.amount ?? 0n;
      w.usdt.faults.state = "impossible";
      await checkTwice();
      w.usdt.faults.state = "ok";
      expect(await getOffReason(w.ctx.db, "payments")).toMatch(/^34\.\d+ USDT is missing: the books say/);
    });

    it("do not start payments while a waiting deposit may hide that something is missing (T57)", async () => {
      const { recheck } = w.usdt;
      w.usdt.recheck = async (keys) =>
        (await recheck(keys)).map((one) => (one && !(one instanceof Error) ? { ...one, disputed: true } : one));
      w.usdt.deposit(unpaid.fundingAddress, unpaid.sourceAmount);
      await w.scan("USDT");
      dispute.isOn = false;
      w.usdt.faults.stolen = 1n;
      await check();
      expect(await getOffReason(w.ctx.db, "payments")).not.toBeNull();
      w.usdt.recheck = recheck;
      await checkTwice();
      expect(await getOffReason(w.ctx.db, "payments")).toMatch(/^0\.000001 USDT is missing: the books say/);
    });

    it("do not start payments while the other asset is short (T57)", async () => {
      w.mob.faults.stolen = 1n;
      await checkTwice();
      dispute.isOn = false;
      await checkTwice();
      expect(await getOffReason(w.ctx.db, "payments")).toMatch(/^0\.000000000001 MOB is missing: the books say/);
    });

    it("do not start payments that an operator has switched off in the meantime", async () => {
      await switchOff(w.ctx.db, "payments", {
        reason: "A question from the bank.",
        at: await w.ctx.clock.now(w.ctx.db),
      });
      dispute.isOn = false;
      await checkTwice();
      expect(await subjects()).toEqual([]);
      expect(await getOffReason(w.ctx.db, "payments")).toBe("A question from the bank.");
    });
  });

  it("agree even if a payment gets into a block while the balances are read", async () => {
    await fund("MOB");
    w.usdt.faults.broadcast = "drop";
    await w.tick();
    await w.tick();
    await check();
    w.usdt.faults.broadcast = "ok";
    const { readHoldings } = w.usdt;
    w.usdt.readHoldings = async (addresses) => {
      const holdings = await readHoldings(addresses);
      await w.pay("USDT");
      return holdings;
    };
    for (const row of await check()) expect(row).toMatchObject({ shortSince: null, surplusSince: null });
    w.usdt.readHoldings = readHoldings;
    expect(w.usdt.paid).toHaveLength(1);
    for (const row of await check()) expect(row).toMatchObject({ shortSince: null, surplusSince: null });
  });

  it("do not mistake a payout that a reorg has removed for a surplus (T50)", async () => {
    const order = await fund("MOB");
    await w.tick();
    await w.tick();
    w.usdt.mine(2);
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("completed");
    const surplusSince = async () => (await check()).find(({ asset }) => asset === "USDT")?.surplusSince;
    expect(await surplusSince()).toBeNull();
    w.usdt.faults.broadcast = "drop";
    w.usdt.loseFromChain(w.usdt.paid[0]?.hash ?? "");
    await w.pay("USDT");
    expect(await surplusSince()).toBeNull();
    w.usdt.faults.stolen = -1n;
    expect(await surplusSince()).not.toBeNull();
  });

  it("are equal after the loss of a deposit is written off, and again after it comes back (T50)", async () => {
    const order = await w.lock(user, "USDT", "100");
    const hash = w.usdt.deposit(order.fundingAddress, order.sourceAmount);
    await w.settle();
    w.usdt.reorgAway(hash);
    await w.tick();
    const [deposit] = await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, order.id));
    const writeOff = () => w.ctx.db.transaction((tx) => writeOffDeposit(tx, w.ctx, deposit?.id ?? ""));
    const agree = async () => {
      w.wait(121 * second);
      await w.tick();
      const [, usdt] = await check();
      expect(usdt).toMatchObject({ asset: "USDT", owed: usdt && usdt.inWallet + usdt.uncollected });
      expect(await subjects()).toEqual([]);
    };
    const treasuryBefore = await getBalance(w.ctx.db, "USDT", treasury);
    expect(await subjects()).toEqual([`deposit:${deposit?.id}`]);
    await writeOff();
    await expect(writeOff()).rejects.toMatchObject({ code: "conflict" });
    await agree();
    expect(await getBalance(w.ctx.db, "USDT", treasury)).toBe(treasuryBefore - 100_000_000n);

    // Money that arrives later is the customer's: the loss does not stop the order's payments.
    w.usdt.deposit(order.fundingAddress, 20_000_000n);
    await w.settle();
    expect(w.usdt.paid).toMatchObject([{ to: order.refundAddress }]);
    await agree();

    w.usdt.deposit(order.fundingAddress, order.sourceAmount, { txHash: hash });
    await w.settle();
    await agree();
    expect(await getBalance(w.ctx.db, "USDT", treasury)).toBe(treasuryBefore);
    expect(w.usdt.paid).toHaveLength(1);
    expect(await checkBooks(w.ctx.db)).toEqual([]);
  });

  it("report a surplus until it is booked without stopping payments: anyone can send us money", async () => {
    await check();
    w.usdt.faults.stolen = -5n;
    for (const expected of [[], ["surplus:USDT"]]) {
      await check();
      expect(await subjects()).toEqual(expected);
      w.wait(121 * second);
      await check();
      const reason = expect.stringMatching(/^We hold more USDT than the books say: /);
      const action = expect.stringContaining('paid out or refunded, book it with "operate float"');
      expect(await listAlerts(w.ctx.db)).toMatchObject([{ subject: "surplus:USDT", reason, action }]);
    }
    expect(await getOffReason(w.ctx.db, "payments")).toBeNull();
    const transfers = [{ asset: "USDT", from: external, to: treasury, amount: 5n, kind: "float" }] as const;
    await post(w.ctx.db, { transfers: [...transfers], orderId: null, at: await w.ctx.clock.now(w.ctx.db) });
    await check();
    expect(await subjects()).toEqual([]);
  });
});
