import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { payments } from "~/exchange.server/db/schema/payments";
import { hasPaymentWork } from "~/exchange.server/payments/run-payments";
import { forEachTest } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

describe("the payment job", () => {
  const w = forEachTest(createPaymentsHarness);

  /** An order with many payments, planned one after the other. */
  const planMany = async (count: number) => {
    const order = await w.planPayout("MOB");
    const [row] = await w.queryRows(order);
    if (!row) throw new Error("a payout");
    const copies = Array.from({ length: count - 1 }, (_, i) => ({
      ...row,
      id: `${row.id}-${i}`,
      purpose: "refund" as const,
    }));
    await w.ctx.db.insert(payments).values(copies);
    return order;
  };

  it("makes up to 25 payments in a run", async () => {
    const order = await planMany(27);
    await w.pay("MOB");
    const statuses = (await w.queryRows(order)).map(({ status }) => status);
    expect(statuses.filter((status) => status === "sent")).toHaveLength(25);
    expect(statuses.filter((status) => status === "planned")).toHaveLength(2);
  });

  it("gives up for this run after five payments that cannot be prepared", async () => {
    const order = await planMany(7);
    w.mob.faults.unpreparable.add(order.deliveryAddress);
    await w.pay("MOB");
    expect((await w.queryRows(order)).filter(({ attempts }) => attempts > 0)).toHaveLength(5);
  });

  it("has work from when a payment is planned until a reorg can no longer remove it", async () => {
    const hasWork = () => hasPaymentWork(w.ctx.db, "USDT");
    expect(await hasWork()).toBe(false);
    const order = await w.planPayout("USDT");
    for (const status of ["planned", "sent", "sent", "confirmed"]) {
      expect([await hasWork(), await w.queryRows(order)]).toMatchObject([true, [{ status }]]);
      await w.pay("USDT");
      w.usdt.mine();
    }
    expect(await hasPaymentWork(w.ctx.db, "MOB")).toBe(false);
    await w.settle();
    expect(await w.queryRows(order)).toMatchObject([{ settledAt: expect.any(Date) }]);
    expect(await hasWork()).toBe(false);
  });

  it("has work while outputs are merged", async () => {
    await w.ctx.db.update(chainStates).set({ spendable: 2n, maxPayment: 0n }).where(eq(chainStates.asset, "MOB"));
    w.mob.prepareConsolidation = async () => {
      return { to: "main", amount: "1", hash: "merge", nonce: null, raw: null, networkFee: "0" };
    };
    await w.pay("MOB");
    expect(await hasPaymentWork(w.ctx.db, "MOB")).toBe(true);
    await w.tick();
    expect(await hasPaymentWork(w.ctx.db, "MOB")).toBe(false);
  });
});
