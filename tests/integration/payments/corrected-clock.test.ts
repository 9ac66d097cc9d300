import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { PaymentsWaitError } from "~/exchange.server/chains/gateway";
import type { OrderRow } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { getOffReason } from "~/exchange.server/switches/switches";
import { addMs } from "~/lib/durations";
import { forEachTest } from "../../support/for-tests";
import { createPaymentsHarness } from "./payments-harness";

const minute = 60_000;
const day = 24 * 60 * minute;

/** Its clock was a day ahead for one run of the payment job. */
describe("T61 after the database's clock was corrected", () => {
  const w = forEachTest(createPaymentsHarness);
  afterEach(async () => {
    expect(await w.checkBooks()).toEqual([]);
  });

  const runAhead = async (run: () => Promise<void>) => {
    w.wait(day);
    await run();
    w.wait(-day);
  };
  const failToPrepare = () => {
    w.mob.faults.prepare = () => {
      throw new PaymentsWaitError("The wallet is busy.", { action: "Wait." });
    };
  };
  const rowsOf = (order: OrderRow) => w.queryRows(order);

  it("a payment that could not be prepared is tried again at once", async () => {
    const order = await w.planPayout("MOB");
    failToPrepare();
    await runAhead(() => w.pay("MOB"));
    w.mob.faults.prepare = null;
    await w.pay("MOB");
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("a payment that replaces another is made at once", async () => {
    const order = await w.planPayout("MOB");
    w.mob.faults.broadcast = "drop";
    await w.pay("MOB");
    w.mob.faults.state = "impossible";
    await runAhead(() => w.pay("MOB"));
    w.mob.faults.broadcast = "ok";
    w.mob.faults.state = "ok";
    await w.pay("MOB");
    expect(await rowsOf(order)).toMatchObject([{ status: "failed" }, { status: "sent" }]);
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("a payment that waits for a day after a recovery (T31) still does", async () => {
    const order = await w.planPayout("MOB");
    const notBefore = addMs(await w.ctx.clock.now(w.ctx.db), 2 * day);
    await w.ctx.db
      .update(payments)
      .set({ notBefore, updatedAt: addMs(notBefore, -day) })
      .where(eq(payments.orderId, order.id));
    await w.pay("MOB");
    expect(await rowsOf(order)).toMatchObject([{ status: "planned", notBefore }]);
  });

  it("a payment that cannot be sent is parked after four minutes", async () => {
    const order = await w.planPayout("USDT");
    w.usdt.faults.unsendable.add(order.deliveryAddress);
    await runAhead(() => w.pay("USDT"));
    await w.payEvery(minute, "USDT", 4);
    expect(await rowsOf(order)).toMatchObject([{ status: "prepared", parkedAt: null }]);
    await w.pay("USDT");
    expect(await rowsOf(order)).toMatchObject([{ status: "prepared", parkedAt: expect.any(Date) }]);
  });

  /** Plans a payment that the network refuses. */
  const planRefused = async () => {
    const order = await w.planPayout("MOB");
    w.mob.faults.refused.add(order.deliveryAddress);
    return order;
  };

  it("a payment is parked, although three were parked at later times", async () => {
    const earlier = [await planRefused(), await planRefused(), await planRefused()];
    await runAhead(() => w.payEvery(0, "MOB", 12));
    for (const order of earlier) expect(await rowsOf(order)).toMatchObject([{ parkedAt: expect.any(Date) }]);
    const order = await planRefused();
    await w.payEvery(0, "MOB", 4);
    expect(await rowsOf(order)).toMatchObject([{ status: "prepared", parkedAt: expect.any(Date) }]);
  });

  it("no more than three payments are parked, although one was sent at a later time", async () => {
    await w.planPayout("MOB");
    await runAhead(() => w.pay("MOB"));
    for (let count = 0; count < 3; count += 1) await planRefused();
    await w.payEvery(0, "MOB", 12);
    const order = await planRefused();
    await w.payEvery(0, "MOB", 4);
    expect(await rowsOf(order)).toMatchObject([{ status: "prepared", parkedAt: null }]);
  });

  it("a parked payment is sent again at once", async () => {
    const order = await w.planPayout("MOB");
    w.mob.faults.unsendable.add(order.deliveryAddress);
    await w.payEvery(minute, "MOB", 5);
    await runAhead(() => w.pay("MOB"));
    w.mob.faults.unsendable.clear();
    await w.pay("MOB");
    expect(w.paidTo(order.deliveryAddress)).toHaveLength(1);
  });

  it("a payment that is not in a block raises an alert after ten minutes", async () => {
    const order = await w.planPayout("USDT");
    w.usdt.faults.broadcast = "drop";
    await runAhead(() => w.pay("USDT"));
    await w.payEvery(minute, "USDT", 10);
    expect(await w.alertsOf(order)).toEqual([]);
    await w.pay("USDT");
    expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("is not in a block") }]);
  });

  it("a payment that has left the chain raises an alert, and stops new swaps, after ten seconds", async () => {
    const order = await w.planPayout("USDT");
    await w.pay("USDT");
    w.usdt.mine(w.usdt.requiredConfirmations);
    await w.pay("USDT");
    const [payment] = await rowsOf(order);
    expect(payment).toMatchObject({ status: "confirmed", settledAt: null });
    w.usdt.loseFromChain(payment?.hash ?? "");
    w.usdt.faults.broadcast = "drop";
    await runAhead(() => w.pay("USDT"));
    await w.pay("USDT");
    expect(await w.alertsOf(order)).toEqual([]);
    w.wait(10_000);
    await w.pay("USDT");
    expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("is no longer on the chain") }]);
    expect(await getOffReason(w.ctx.db, "swaps")).toContain("removed the confirmed payment");
  });

  it("a payment whose fee is raised again and again raises one after twenty minutes", async () => {
    const order = await w.planPayout("USDT");
    w.usdt.faults.broadcast = "drop";
    const { bumpPayment } = w.usdt;
    await runAhead(() => w.pay("USDT"));
    let runs = 0;
    w.usdt.bumpPayment = async (payment) => {
      runs += 1;
      return runs % 2 === 0 ? bumpPayment(payment, { refused: true }) : null;
    };
    await w.payEvery(minute, "USDT", 20);
    expect(await w.alertsOf(order)).toEqual([]);
    await w.pay("USDT");
    expect(await w.alertsOf(order)).toMatchObject([{ reason: expect.stringContaining("is not in a block") }]);
  });
});
