import { asc } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { FragmentedFundsError, type PreparedPayment } from "~/exchange.server/chains/gateway";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { consolidations } from "~/exchange.server/db/schema/payments";
import { external, fees, getBalance, post, treasury } from "~/exchange.server/ledger/ledger";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { consolidateForPayment } from "~/exchange.server/payments/consolidate";
import { prepareNext } from "~/exchange.server/payments/preparing/prepare";
import { digestSigned } from "~/exchange.server/payments/unsent";
import { switchOff } from "~/exchange.server/switches/switches";
import { forEachTest } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

const networkFee = 400_000_000n;
const w = forEachTest(createPaymentsHarness);
/** How often the wallet has built a consolidation. */
let built: number;
beforeEach(async () => {
  built = 0;
  w.mob.prepareConsolidation = async (): Promise<PreparedPayment> => {
    built += 1;
    const hash = `consolidation-${built}`;
    return { to: "main", amount: "1", hash, nonce: null, raw: null, networkFee: networkFee.toString() };
  };
});
afterEach(async () => {
  expect(await w.checkBooks()).toEqual([]);
});

/** Makes the largest single payment this much less than half of the wallet's funds, and runs the job. */
const fragment = async (belowHalf: bigint) => {
  w.mob.faults.maxPayment = w.mob.faults.spendable / 2n - belowHalf;
  await checkWallet(w.ctx, "MOB");
  await w.pay("MOB");
};
const listConsolidations = async () =>
  (await w.ctx.db.select().from(consolidations).orderBy(asc(consolidations.createdAt))).map(
    ({ hash, status }) => `${hash} ${status}`,
  );
const inTreasury = () => getBalance(w.ctx.db, "MOB", treasury);
const move = async (from: string, to: string, amount: bigint) => {
  const at = await w.ctx.clock.now(w.ctx.db);
  const transfers = [{ asset: "MOB" as const, from, to, amount, kind: "float" as const }];
  await w.ctx.db.transaction((tx) => post(tx, { transfers, orderId: null, at }));
};

describe("merging the outputs of a MobileCoin wallet", () => {
  it("starts when one payment can send less than half of the funds, and books its fee once it is in a block", async () => {
    const before = await inTreasury();
    await fragment(0n);
    expect(await listConsolidations()).toEqual([]);
    await fragment(1n);
    expect(await listConsolidations()).toEqual(["consolidation-1 sent"]);
    expect(await inTreasury()).toBe(before);
    w.mob.faults.maxPayment = null;
    await w.tick();
    expect(await listConsolidations()).toEqual(["consolidation-1 confirmed"]);
    const [{ prepared } = {}] = await w.ctx.db.select().from(consolidations);
    expect(prepared).toEqual({
      to: "main",
      amount: "1",
      hash: "consolidation-1",
      nonce: null,
      networkFee: "400000000",
    });
    expect(await inTreasury()).toBe(before - networkFee);
    expect([built, w.errors]).toEqual([1, []]);
  });

  it.each(["spendable", "maxPayment"] as const)("waits until the wallet was read: %s", async (column) => {
    await w.ctx.db.update(chainStates).set({ spendable: 2n, maxPayment: 0n, [column]: null });
    await w.pay("MOB");
    expect([built, w.errors]).toEqual([0, []]);
    await w.ctx.db.update(chainStates).set({ spendable: 2n, maxPayment: 0n });
    await w.pay("MOB");
    expect(built).toBe(1);
  });

  it("changes what is signed when it is stored, and not again until there is another one", async () => {
    const digests = [await digestSigned(w.ctx.db, "MOB")];
    for (let round = 0; round < 2; round += 1) {
      w.mob.faults.maxPayment = null;
      await fragment(1n);
      digests.push(await digestSigned(w.ctx.db, "MOB"));
      w.mob.faults.maxPayment = null;
      await w.tick();
      expect(await digestSigned(w.ctx.db, "MOB")).toBe(digests.at(-1));
    }
    expect(new Set(digests).size).toBe(3);
  });

  it("does not start while payments are switched off", async () => {
    await switchOff(w.ctx.db, "payments", { reason: "A test.", at: await w.ctx.clock.now(w.ctx.db) });
    await fragment(1n);
    expect([built, await listConsolidations()]).toEqual([0, []]);
  });

  it("does not start before the network has a payment that was built, because both could spend the same outputs", async () => {
    const order = await w.planPayout("MOB");
    w.mob.faults.unsendable.add(order.deliveryAddress);
    await w.pay("MOB");
    await fragment(1n);
    expect([built, await w.queryRows(order)]).toMatchObject([0, [{ status: "prepared" }]]);
    w.mob.faults.unsendable.clear();
    await w.pay("MOB");
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
    expect(await listConsolidations()).toEqual(["consolidation-1 sent"]);
  });

  it("is dropped if another process has stored a payment in the meantime, because both could spend the same outputs", async () => {
    const { prepareConsolidation } = w.mob;
    const order = await w.planPayout("MOB");
    w.mob.faults.unsendable.add(order.deliveryAddress);
    w.mob.prepareConsolidation = async () => {
      w.mob.prepareConsolidation = prepareConsolidation;
      await prepareNext(w.ctx, "MOB");
      return prepareConsolidation();
    };
    await consolidateForPayment(w.ctx, "MOB");
    expect([built, await listConsolidations()]).toEqual([1, []]);
    expect(await w.queryRows(order)).toMatchObject([{ status: "prepared" }]);
  });

  it("delays payments for a minute if it cannot be sent, because they could spend the same outputs", async () => {
    w.mob.faults.broadcast = "reject";
    await fragment(1n);
    expect(await listConsolidations()).toEqual(["consolidation-1 prepared"]);
    const order = await w.planPayout("MOB");
    expect(await prepareNext(w.ctx, "MOB")).toBe("none");
    w.wait(61_000);
    expect(await prepareNext(w.ctx, "MOB")).toBe("prepared");
    expect(await w.queryRows(order)).toMatchObject([{ status: "prepared" }]);
  });

  it("does not delay payments for long if it was built while the database's clock was ahead (T61)", async () => {
    w.mob.faults.broadcast = "reject";
    w.wait(86_400_000);
    await fragment(1n);
    w.wait(-86_400_000);
    expect(await listConsolidations()).toEqual(["consolidation-1 prepared"]);
    await checkWallet(w.ctx, "MOB");
    await w.planPayout("MOB");
    expect(await prepareNext(w.ctx, "MOB")).toBe("prepared");
  });

  it("builds nothing more while a consolidation is open, even if a payment waits for it", async () => {
    w.mob.faults.broadcast = "drop";
    await fragment(1n);
    await w.planPayout("MOB");
    w.mob.preparePayment = async () => {
      throw new FragmentedFundsError("too many outputs");
    };
    await w.pay("MOB");
    expect([built, await listConsolidations()]).toEqual([1, ["consolidation-1 sent"]]);
  });

  it("is not an error when there is nothing to merge", async () => {
    w.mob.prepareConsolidation = async () => null;
    await fragment(1n);
    expect([w.errors, await listConsolidations()]).toEqual([[], []]);
  });

  it("T59 sends only what is stored when two workers start one at the same time", async () => {
    const { prepareConsolidation, broadcast } = w.mob;
    const sent: string[] = [];
    w.mob.prepareConsolidation = async () => {
      w.mob.prepareConsolidation = prepareConsolidation;
      const late = await prepareConsolidation();
      w.mob.faults.broadcast = "drop";
      await w.pay("MOB");
      return late;
    };
    w.mob.broadcast = async (payment) => {
      sent.push(payment.hash);
      await broadcast(payment);
    };
    await fragment(1n);
    expect(built).toBe(2);
    expect(await listConsolidations()).toEqual(["consolidation-2 sent"]);
    expect([sent, w.errors]).toEqual([["consolidation-2"], []]);
  });

  it("T59 books the fee once even if two workers find it in a block", async () => {
    await fragment(1n);
    w.mob.faults.maxPayment = null;
    const before = await inTreasury();
    const { getPaymentState } = w.mob;
    w.mob.getPaymentState = async (payment) => {
      w.mob.getPaymentState = getPaymentState;
      await w.pay("MOB");
      return getPaymentState(payment);
    };
    await w.pay("MOB");
    expect(await listConsolidations()).toEqual(["consolidation-1 confirmed"]);
    expect(await inTreasury()).toBe(before - networkFee);
  });

  it("sends the same bytes until the network has decided, and starts again if it can no longer be accepted", async () => {
    const before = await inTreasury();
    w.mob.faults.broadcast = "drop";
    await fragment(1n);
    for (let run = 0; run < 3; run += 1) await w.pay("MOB");
    expect([w.mob.broadcasts, await listConsolidations()]).toEqual([4, ["consolidation-1 sent"]]);
    w.mob.faults.state = "impossible";
    await w.pay("MOB");
    expect([w.mob.broadcasts, await listConsolidations()]).toEqual([4, ["consolidation-1 failed"]]);
    w.mob.faults.state = "ok";
    w.mob.faults.broadcast = "ok";
    await w.pay("MOB");
    expect(await listConsolidations()).toEqual(["consolidation-1 failed", "consolidation-2 sent"]);
    expect(await inTreasury()).toBe(before);
  });

  it("alerts an operator if its fee cannot be booked, and books it when there are funds", async () => {
    await fragment(1n);
    w.mob.faults.maxPayment = null;
    for (const account of [treasury, fees]) await move(account, external, await getBalance(w.ctx.db, "MOB", account));
    await w.pay("MOB");
    expect(await listConsolidations()).toEqual(["consolidation-1 sent"]);
    expect(await listAlerts(w.ctx.db)).toMatchObject([
      {
        subject: "consolidation:MOB",
        orderId: null,
        reason: expect.stringContaining("the network fee cannot be booked: "),
        action: expect.stringContaining("operate float"),
      },
    ]);
    await move(external, treasury, networkFee);
    await w.pay("MOB");
    expect(await listConsolidations()).toEqual(["consolidation-1 confirmed"]);
    expect([await inTreasury(), await listAlerts(w.ctx.db)]).toEqual([0n, []]);
  });

  it("does not raise an alert about funds if its fee cannot be booked for another reason", async () => {
    await fragment(1n);
    w.mob.faults.maxPayment = null;
    const { clock } = w.ctx;
    const { getPaymentState } = w.mob;
    w.mob.getPaymentState = async (payment) => {
      w.mob.getPaymentState = getPaymentState;
      // The next reading is the transaction's.
      w.ctx.clock = {
        now: async () => {
          w.ctx.clock = clock;
          throw new Error("deadlock detected");
        },
      };
      return getPaymentState(payment);
    };
    await w.tick();
    expect(await listConsolidations()).toEqual(["consolidation-1 sent"]);
    expect(await listAlerts(w.ctx.db)).toEqual([]);
    expect(w.errors).toMatchObject([{ msg: "the wallet's funds could not be merged" }]);
    await w.tick();
    expect(await listConsolidations()).toEqual(["consolidation-1 confirmed"]);
  });

  it.each([
    ["when it is built", "prepareConsolidation"],
    ["when it is looked up", "getPaymentState"],
  ] as const)("logs an error %s, and does not delay payments", async (_, call) => {
    if (call === "getPaymentState") await fragment(1n);
    const order = await w.planPayout("MOB");
    const original = w.mob[call];
    Object.assign(w.mob, {
      [call]: async () => {
        Object.assign(w.mob, { [call]: original });
        throw new Error("The wallet does not respond.");
      },
    });
    await fragment(1n);
    expect(w.errors).toMatchObject([{ asset: "MOB", msg: "the wallet's funds could not be merged" }]);
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });
});
