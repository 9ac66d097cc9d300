import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../app/exchange.server/db/open";
import { checkReserves, listReserveChecks } from "../../../app/exchange.server/payments/check-reserves";
import { listAlerts } from "../../../app/exchange.server/switches/alerts";
import { getSwitchReason, switchOff, switchOn } from "../../../app/exchange.server/switches/switches";
import { createOrdersWorld, type OrdersWorld, type User } from "../../support/orders-world";
import { openTestDatabase, testDatabases } from "../../support/test-database";

const assets = ["USDT", "MOB"] as const;
const second = 1_000;

describe.each(testDatabases)("the books and the chains on %s", (kind) => {
  let database: OpenDatabase;
  let w: OrdersWorld;
  let user: User;
  beforeEach(async () => {
    database = await openTestDatabase(kind);
    w = await createOrdersWorld(database);
    user = await w.createUser();
  });
  afterEach(() => database?.close());

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
    expect(await getSwitchReason(w.ctx.db, "payments"), "it may be a payment on its way").toBeNull();
    w.wait(11 * second);
    await check();
    const unit = asset === "USDT" ? "0.000001 USDT" : "0.000000000001 MOB";
    expect(await getSwitchReason(w.ctx.db, "payments")).toMatch(new RegExp(`^${unit} are missing: .* at block \\d+`));
    expect(await subjects()).toEqual([`reserves:${asset}`]);
    await expect(w.lock(user, "USDT", "50")).rejects.toMatchObject({ code: "swaps_stopped" });

    // The money is back: the alert ends, and an operator switches payments on again.
    w.chains[asset].faults.stolen = 0n;
    await check();
    expect(await subjects()).toEqual([]);
    await switchOn(w.ctx.db, "payments", await w.ctx.clock.now(w.ctx.db));
    w.wait(60 * second);
    await check();
    expect(await getSwitchReason(w.ctx.db, "payments")).toBeNull();
  });

  it("stop payments although a deposit waits that is larger than what has left the wallet (T57)", async () => {
    await w.settle();
    await check();
    const order = await fund("USDT");
    w.usdt.mine();
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("confirming");
    w.wait(11 * second);
    for (const row of await check()) expect(row).toMatchObject({ shortSince: null, surplusSince: null });
    w.usdt.faults.stolen = 99_000_000n;
    await check();
    w.wait(11 * second);
    await check();
    expect(await getSwitchReason(w.ctx.db, "payments")).toMatch(
      /^99 USDT are missing: .* \(and 100 that are not credited yet\), but at block/,
    );
  });

  it("do not stop payments for a deposit that only one node claims to know (T55)", async () => {
    const order = await fund("USDT");
    w.usdt.mine();
    await w.tick();
    expect((await w.see(user, order.id)).status).toBe("confirming");
    // The money of the claimed deposit is not there, and the nodes do not agree on it.
    w.usdt.faults.stolen = 100_000_000n;
    const { recheck } = w.usdt;
    w.usdt.recheck = async (keys) => {
      const found = await recheck(keys);
      return found.map((one) => (one && !(one instanceof Error) ? { ...one, disputed: true } : one));
    };
    await check();
    w.wait(11 * second);
    await check();
    expect(await getSwitchReason(w.ctx.db, "payments")).toBeNull();
    w.usdt.recheck = recheck;
  });

  it("do not stop payments for deposits that are recorded while the balances are read (T55)", async () => {
    await check();
    const { readHoldings } = w.usdt;
    for (const isCredited of [false, true, false]) {
      const order = await fund("USDT");
      if (isCredited) w.usdt.mine(3);
      w.usdt.readHoldings = async (addresses) => {
        const holdings = await readHoldings(addresses);
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
    expect(await getSwitchReason(w.ctx.db, "payments")).toBeNull();
  });

  it("stop payments although many deposits wait that are together larger than what has left the wallet (T57)", async () => {
    w.usdt.faults.finalizedAbove = 1n;
    w.usdt.faults.finalizedHeight = 0;
    const order = await w.lock(user, "USDT", "100");
    for (let i = 0; i < 120; i += 1) w.usdt.deposit(order.fundingAddress, 10_000_000n);
    await w.scan("USDT");
    await check();
    w.usdt.faults.stolen = 1n;
    await check();
    w.wait(11 * second);
    await check();
    expect(await getSwitchReason(w.ctx.db, "payments")).toMatch(/^0\.000001 USDT are missing/);
  });

  it("stop payments although one node claims that an open payment has taken what is missing (T57)", async () => {
    const order = await fund("MOB");
    w.usdt.faults.broadcast = "drop";
    await w.tick();
    await w.tick();
    expect((await w.see(user, order.id)).outgoing_txs).toMatchObject([{ status: "pending" }]);
    await check();
    w.usdt.faults.stolen = order.targetAmount;
    const { getPaymentState } = w.usdt;
    w.usdt.getPaymentState = async () => {
      return { state: "in_block", blockNumber: 1, blockHash: "claimed", confirmations: 1, disputed: true };
    };
    await check();
    w.wait(11 * second);
    await check();
    w.usdt.getPaymentState = getPaymentState;
    expect(await getSwitchReason(w.ctx.db, "payments")).toContain("USDT are missing");
  });

  it("stop payments although no node can look up an open payment (T57)", async () => {
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
    expect(await getSwitchReason(w.ctx.db, "payments")).toMatch(/^500 USDT are missing: by the books/);
  });

  it.each(assets)("alert an operator when nothing could be compared for ten minutes: %s (T57)", async (asset) => {
    await check();
    const { readHoldings } = w.chains[asset];
    for (const error of [null, new Error("No node answers.")]) {
      w.chains[asset].readHoldings = async () => {
        if (error) throw error;
        return null;
      };
      const tryToCheck = () => checkReserves(w.ctx, asset).catch((caught: unknown) => expect(caught).toBe(error));
      await tryToCheck();
      expect(await subjects()).toEqual([]);
      w.wait(600 * second);
      await tryToCheck();
      expect(await subjects()).toEqual([`unchecked:${asset}`]);
      w.chains[asset].readHoldings = readHoldings;
      await check();
      expect(await subjects()).toEqual([]);
    }
  });

  describe("while too few nodes confirm a payment that has left the wallet", () => {
    let dispute: { isOn: boolean };
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
      dispute = { isOn: true };
      w.usdt.getPaymentState = async (payment) => {
        const state = await getPaymentState(payment);
        return dispute.isOn && state.state === "in_block" ? { ...state, confirmations: 1, disputed: true } : state;
      };
      await w.tick();
      await w.tick();
      expect(w.usdt.paid).toMatchObject([{ to: order.deliveryAddress }]);
      await checkTwice();
      expect(await getSwitchReason(w.ctx.db, "payments")).toMatch(
        /^34\.\d+ USDT are missing, unless our own payments .* nothing is missing\.$/,
      );
      expect(await subjects()).toEqual(["reserves:USDT"]);
    });

    it("stop payments, and start them again automatically when the nodes agree (T55)", async () => {
      await checkTwice();
      expect(await getSwitchReason(w.ctx.db, "payments"), "it is disputed still").not.toBeNull();
      dispute.isOn = false;
      await check();
      expect(await getSwitchReason(w.ctx.db, "payments")).toBeNull();
      expect(await subjects()).toEqual([]);
      await w.refreshRate();
      await w.settle();
      await w.lock(user, "USDT", "50");
    });

    it("wait for an operator if more is missing than such payments can have taken (T57)", async () => {
      w.usdt.faults.stolen = 1n;
      await checkTwice();
      expect(await getSwitchReason(w.ctx.db, "payments")).toMatch(/^34\.\d+ USDT are missing: by the books/);
      dispute.isOn = false;
      await checkTwice();
      expect(await getSwitchReason(w.ctx.db, "payments"), "one unit is missing still").not.toBeNull();
      w.usdt.faults.stolen = 0n;
      await check();
      expect(await subjects()).toEqual([]);
      expect(await getSwitchReason(w.ctx.db, "payments")).not.toBeNull();
    });

    it("wait for an operator once it is clear that the payment has not taken what is missing (T57)", async () => {
      const [paid] = w.usdt.paid;
      w.usdt.loseFromChain(paid?.hash ?? "");
      w.usdt.faults.stolen = paid?.amount ?? 0n;
      w.usdt.faults.state = "impossible";
      await checkTwice();
      w.usdt.faults.state = "ok";
      expect(await getSwitchReason(w.ctx.db, "payments")).toMatch(/^34\.\d+ USDT are missing: by the books/);
    });

    it("do not start payments while a deposit that waits may hide that something is missing (T57)", async () => {
      const { recheck } = w.usdt;
      w.usdt.recheck = async (keys) =>
        (await recheck(keys)).map((one) => (one && !(one instanceof Error) ? { ...one, disputed: true } : one));
      w.usdt.deposit(unpaid.fundingAddress, unpaid.sourceAmount);
      await w.scan("USDT");
      dispute.isOn = false;
      w.usdt.faults.stolen = 1n;
      await check();
      expect(await getSwitchReason(w.ctx.db, "payments")).not.toBeNull();
      w.usdt.recheck = recheck;
      await checkTwice();
      expect(await getSwitchReason(w.ctx.db, "payments")).toMatch(/^0\.000001 USDT are missing: by the books/);
    });

    it("do not start payments that an operator has switched off meanwhile", async () => {
      await switchOff(w.ctx.db, "payments", "A question from the bank.", await w.ctx.clock.now(w.ctx.db));
      dispute.isOn = false;
      await checkTwice();
      expect(await subjects()).toEqual([]);
      expect(await getSwitchReason(w.ctx.db, "payments")).toBe("A question from the bank.");
    });
  });

  it("report a surplus that is not booked without stopping payments: anyone can send us money", async () => {
    w.usdt.faults.stolen = -5n;
    await check();
    w.wait(121 * second);
    await check();
    expect(await subjects()).toEqual(["surplus:USDT"]);
    expect(await getSwitchReason(w.ctx.db, "payments")).toBeNull();
  });
});
