import { randomUUID } from "node:crypto";
import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChainTransfer } from "~/exchange.server/chains/gateway";
import type { Mail } from "~/exchange.server/context";
import { queryRows } from "~/exchange.server/db/database";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { type OrderRow, orderEvents, orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { takeDueSteps } from "~/exchange.server/jobs/due-steps";
import { getBalance, heldFor } from "~/exchange.server/ledger/ledger";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { readStatus } from "~/exchange.server/operator/report";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { refundSetAside } from "~/exchange.server/orders/payouts-and-refunds/refund-set-aside";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { previewDeletion } from "~/exchange.server/personal-data/delete-account";
import { switchOff } from "~/exchange.server/switches/switches";
import { toOrderNumber } from "~/lib/order-number";
import { countStatements } from "../../support/count-statements";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { createTestPostgres } from "../../support/postgres";
import { switchOn } from "../../support/switch-on";

const usdt = (amount: number) => BigInt(Math.round(amount * 1e6));
const gasCost = usdt(0.45);

describe("T67 deposits that cost more to refund than they are worth", { timeout: 120_000 }, () => {
  let database: OpenDatabase;
  let w: OrdersHarness;
  beforeAll(async () => {
    database = await openPostgres(await createTestPostgres(), { poolSize: 6 });
    w = await createOrdersHarness(database);
    w.ctx.mail = { send: async (mail) => void mails.push(mail) };
    w.usdt.faults.paymentCost = gasCost;
    await w.tick();
  });
  afterAll(() => database?.close());

  const mails: Mail[] = [];
  const mailsTo = async ({ accountId }: User) => {
    while ((await sendOutbox(w.ctx)) > 0);
    return mails.filter(({ to }) => to.startsWith(accountId.toLowerCase()));
  };
  const refundsOf = (order: OrderRow) => w.usdt.paid.filter(({ to }) => to === order.refundAddress);
  const setPayments = async (on: boolean) => {
    const at = await w.ctx.clock.now(w.ctx.db);
    await (on ? switchOn(w.ctx.db, "payments") : switchOff(w.ctx.db, "payments", { reason: "A test.", at }));
  };
  const cancelled = async (user: User) => {
    const order = await w.lock(user, "USDT", "100");
    await w.cancel(order.id);
    return order;
  };

  it("are set aside after the swap has ended, and shown to the customer and the operator", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, usdt(100));
    expect((await w.see(user, order.id)).finished_at).toBeNull();
    await w.settle();
    const completed = await w.see(user, order.id);
    for (let i = 0; i < 20; i += 1) w.usdt.deposit(order.fundingAddress, 1n);
    await w.settle();
    expect(refundsOf(order)).toEqual([]);
    const view = await w.see(user, order.id);
    expect(view).toMatchObject({ status: "completed", set_aside_amount: "0.00002", received_amount: "100.00002" });
    expect(Date.parse(view.updated_at)).toBeGreaterThan(Date.parse(completed.updated_at));
    expect(view.finished_at).toBe(completed.updated_at);
    // A deposit and a payout have no refund cost, and a deposit has no address.
    for (const tx of [...view.incoming_txs, ...view.outgoing_txs]) expect(tx).not.toHaveProperty("refund_cost");
    for (const tx of view.incoming_txs) expect(tx).not.toHaveProperty("address");
    expect(view.outgoing_txs).toMatchObject([{ address: order.deliveryAddress }]);
    const setAside = (await readStatus(w.ctx)).setAside.find(({ asset }) => asset === "USDT");
    expect(setAside).toEqual({ asset: "USDT", amount: "0.00002", orders: 1 });
  });

  it("end an order whose owner asks for a refund, and the owner is told why nothing is sent", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, usdt(0.3));
    await w.settle();
    await w.decide(user, order.id, { choice: "refund" });
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({ status: "refunded", set_aside_amount: "0.3" });
    expect(refundsOf(order)).toEqual([]);
    const last = (await mailsTo(user)).at(-1);
    expect(last?.subject).toBe("Too little to refund: 0.30 USDT");
    expect(last?.text).toContain("The network fee for a refund is more than the 0.30 USDT that we received");
  });

  it("are reported by one e-mail if they are more than a swap needed", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    for (const amount of [100, 0.3, 0.1]) {
      w.usdt.deposit(order.fundingAddress, usdt(amount));
      await w.settle();
    }
    expect(await w.see(user, order.id)).toMatchObject({ status: "completed", set_aside_amount: "0.4" });
    const reports = (await mailsTo(user)).filter(({ subject }) => subject.startsWith("Too little to refund"));
    expect(reports).toMatchObject([{ subject: "Too little to refund: 0.30 USDT" }]);
    expect(reports[0]?.text).toContain("You sent 0.30 USDT that your swap didn't need");
    expect(await previewDeletion(w.ctx, user)).toMatchObject({
      obstacles: [],
      set_aside: [{ asset_symbol: "USDT", amount: "0.4" }],
    });
  });

  it("are reported instead of a question if they leave nothing to choose, until there is more", async () => {
    const user = await w.createUser();
    const [order, ended] = [await w.lock(user, "USDT", "100"), await w.lock(user, "USDT", "100")];
    const mob = await w.lock(user, "MOB", "100");
    w.wait(w.ctx.config.lockTtlMs + w.ctx.config.graceMs + 1_000);
    await w.settle();
    const { refundCost } = w.ctx.config;
    w.ctx.config.refundCost = { ...refundCost, MOB: 10n ** 12n };
    w.mob.deposit(mob.fundingAddress, 10n ** 12n);
    for (const { fundingAddress } of [order, ended]) w.usdt.deposit(fundingAddress, usdt(0.3));
    await w.settle();
    const { status, decision } = await w.see(user, order.id);
    expect([status, decision?.amount, decision?.refund_cost]).toEqual(["needs_decision", "0.3", "0.45"]);
    const subjects = async () => (await mailsTo(user)).map(({ subject }) => subject).slice(-3);
    const [ofUsdt, ofMob] = ["Too little to refund: 0.30 USDT", "Too little to refund: 1.00 MOB"];
    expect((await subjects()).sort()).toEqual([ofUsdt, ofUsdt, ofMob]);
    w.ctx.config.refundCost = refundCost;
    await w.settle();

    w.usdt.deposit(order.fundingAddress, usdt(60));
    await w.settle();
    const question = `Your swap needs a decision: ${toOrderNumber(order.quoteId)}`;
    expect((await subjects()).at(-1)).toBe(question);
    await w.decide(user, ended.id, { choice: "refund" });
    await w.settle();
    expect((await w.see(user, ended.id)).status).toBe("refunded");
    expect((await subjects()).at(-1)).toBe(question);
  });

  it("are not reported for a swap that is paid exactly", async () => {
    const order = await w.lock(await w.createUser(), "USDT", "100");
    w.usdt.deposit(order.fundingAddress, usdt(100));
    await w.settle();
    const events = await w.ctx.db.select().from(orderEvents).where(eq(orderEvents.orderId, order.id));
    expect(events.map(({ kind }) => kind)).toContain("completed");
    expect(events.map(({ kind }) => kind)).not.toContain("kept_below_cost");
  });

  it("are set aside up to exactly the cost, and refunded from one base unit more", async () => {
    const order = await cancelled(await w.createUser());
    w.usdt.deposit(order.fundingAddress, gasCost);
    await w.settle();
    expect(await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id))).toEqual([]);
    w.usdt.deposit(order.fundingAddress, 1n);
    await w.settle();
    expect(refundsOf(order)).toMatchObject([{ amount: 1n }]);
  });

  it("are refunded together once they are worth more than that", async () => {
    const user = await w.createUser();
    const order = await cancelled(user);
    w.usdt.deposit(order.fundingAddress, usdt(0.3));
    await w.settle();
    expect(await w.see(user, order.id)).toMatchObject({ outgoing_txs: [], set_aside_amount: "0.3" });
    w.usdt.deposit(order.fundingAddress, usdt(0.3));
    await w.settle();
    expect(refundsOf(order)).toMatchObject([{ amount: usdt(0.15) }]);
    expect(await w.see(user, order.id)).toMatchObject({
      set_aside_amount: "0",
      outgoing_txs: [{ purpose: "refund", amount: "0.15", refund_cost: "0.45" }],
    });
  });

  describe("and gas that becomes cheaper", () => {
    const mails: Mail[] = [];
    beforeAll(() => {
      w.ctx.mail = { send: async (mail) => void mails.push(mail) };
    });
    afterAll(() => setCost(gasCost));
    const setCost = async (amount: bigint) => {
      w.usdt.faults.paymentCost = amount;
      await w.tick();
    };
    const subjectsTo = async (user: User) => {
      while ((await sendOutbox(w.ctx)) > 0);
      return mails.filter(({ to }) => to.startsWith(user.accountId.toLowerCase())).map(({ subject }) => subject);
    };
    /** An order whose late deposit is refunded by its owner's choice. */
    const refunded = async (user: User, amount: bigint) => {
      const order = await w.lock(user, "USDT", "100");
      w.usdt.deposit(order.fundingAddress, amount);
      await w.settle();
      await w.decide(user, order.id, { choice: "refund" });
      return order;
    };
    const plannedFor = (order: OrderRow) => w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    const eventsOf = (order: OrderRow) => w.ctx.db.select().from(orderEvents).where(eq(orderEvents.orderId, order.id));

    it("are refunded once a refund costs at most a quarter of them", async () => {
      const user = await w.createUser();
      await setCost(usdt(97.5));
      const order = await refunded(user, usdt(80));
      expect(await w.see(user, order.id)).toMatchObject({ status: "refunded", set_aside_amount: "80" });
      await setCost(usdt(20.1));
      await refundSetAside(w.ctx);
      expect(await plannedFor(order)).toEqual([]);
      await setCost(usdt(0.5));
      // Two processes: each of them finds the order.
      await Promise.all([refundSetAside(w.ctx), refundSetAside(w.ctx)]);
      expect(await w.see(user, order.id)).toMatchObject({ status: "refunded", set_aside_amount: "0" });
      await w.settle();
      await refundSetAside(w.ctx);
      expect(await plannedFor(order)).toMatchObject([
        { status: "confirmed", amount: usdt(79.5), grossAmount: usdt(80) },
      ]);
      expect(refundsOf(order)).toMatchObject([{ amount: usdt(79.5) }]);
      expect((await subjectsTo(user)).slice(-2)).toEqual([
        "Too little to refund: 80.00 USDT",
        "Your swap was refunded: 79.50 USDT",
      ]);
    });

    it("are refunded at the lowest possible cost, but not while their order is on hold", async () => {
      const costs = w.ctx.config.refundCost;
      await setCost(usdt(3));
      const order = await refunded(await w.createUser(), usdt(2));
      const held = await refunded(await w.createUser(), usdt(2));
      await setCost(usdt(0.1));
      const ctx = { ...w.ctx, config: { ...w.ctx.config, refundCost: { ...costs, USDT: usdt(1.5) } } };
      await w.ctx.db.update(orders).set({ status: "on_hold", heldFrom: "refunding" }).where(eq(orders.id, held.id));
      await refundSetAside(ctx);
      expect(await plannedFor(order)).toMatchObject([{ amount: usdt(0.5) }]);
      expect(await plannedFor(held)).toEqual([]);
      await w.ctx.db.update(orders).set({ status: "refunded", heldFrom: null }).where(eq(orders.id, held.id));
    });

    it("are not judged by a price of gas that is ten minutes old", async () => {
      const user = await w.createUser();
      await setCost(usdt(97.5));
      const order = await w.lock(user, "USDT", "100");
      w.usdt.deposit(order.fundingAddress, usdt(80));
      await w.settle();
      w.wait(11 * 60_000);
      await w.decide(user, order.id, { choice: "refund" });
      await takeDueSteps(w.ctx);
      await refundSetAside(w.ctx);
      expect(await plannedFor(order)).toEqual([]);
      expect(await w.see(user, order.id)).toMatchObject({ status: "refunding", set_aside_amount: "0" });

      w.usdt.faults.paymentCost = usdt(0.5);
      await checkWallet(w.ctx, "USDT");
      await Promise.all([takeDueSteps(w.ctx), takeDueSteps(w.ctx)]);
      expect(await plannedFor(order)).toMatchObject([{ status: "planned", amount: usdt(79.5) }]);
      await w.settle();
      expect((await w.see(user, order.id)).status).toBe("refunded");
    });

    it("are refunded if their order was on hold when the price of gas became known", async () => {
      const user = await w.createUser();
      await setCost(usdt(0.5));
      const order = await w.lock(user, "USDT", "100");
      w.usdt.deposit(order.fundingAddress, usdt(80));
      await w.settle();
      w.wait(11 * 60_000);
      await w.decide(user, order.id, { choice: "refund" });
      await w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, order.id, { reason: "A check." }));
      await w.tick();
      expect(await plannedFor(order)).toEqual([]);
      await w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, order.id));
      expect(await plannedFor(order)).toMatchObject([{ status: "planned", amount: usdt(79.5) }]);
      await w.settle();
      expect((await w.see(user, order.id)).status).toBe("refunded");
    });

    it("do not end an order whose refund has to wait, even if another refund of it is final", async () => {
      const user = await w.createUser();
      await setCost(usdt(0.5));
      const order = await w.lock(user, "USDT", "100");
      w.usdt.deposit(order.fundingAddress, usdt(80));
      await w.settle();
      await w.decide(user, order.id, { choice: "refund" });
      await w.pay("USDT");
      // The second deposit is credited while the first refund is on its way and the price of gas is old.
      w.usdt.deposit(order.fundingAddress, usdt(30));
      w.wait(11 * 60_000);
      w.usdt.mine(3);
      await w.scan("USDT");
      const waiting = { status: "refunding", set_aside_amount: "0" };
      expect(await w.see(user, order.id)).toMatchObject(waiting);
      await w.pay("USDT");
      for (let run = 0; run < 2; run += 1) await takeDueSteps(w.ctx);
      expect(await plannedFor(order)).toMatchObject([{ status: "confirmed" }]);
      expect(await w.see(user, order.id)).toMatchObject(waiting);
      expect((await eventsOf(order)).filter(({ kind }) => kind === "refund_postponed")).toHaveLength(1);
      await w.settle();
      expect(await w.see(user, order.id)).toMatchObject({ status: "refunded", set_aside_amount: "0" });
      expect(refundsOf(order).map(({ amount }) => amount)).toEqual([usdt(79.5), usdt(29.5)]);
    });

    it("are refunded once the price of gas is known if their order is done, and are not set aside until then", async () => {
      const user = await w.createUser();
      await setCost(usdt(0.5));
      const order = await refunded(user, usdt(80));
      await w.settle();
      await setCost(usdt(20));
      w.usdt.deposit(order.fundingAddress, usdt(30));
      w.wait(11 * 60_000);
      w.usdt.mine(3);
      await w.scan("USDT");
      await refundSetAside(w.ctx);
      expect((await plannedFor(order)).map(({ amount }) => amount)).toEqual([usdt(79.5)]);
      expect((await eventsOf(order)).filter(({ kind }) => kind === "refund_postponed")).toHaveLength(1);
      expect(await w.see(user, order.id)).toMatchObject({ status: "refunded", set_aside_amount: "0" });

      // More than a quarter of the amount, but it was not set aside for being small.
      await setCost(usdt(10));
      await Promise.all([refundSetAside(w.ctx), refundSetAside(w.ctx)]);
      expect((await plannedFor(order)).map(({ amount }) => amount)).toEqual([usdt(79.5), usdt(20)]);
      await w.settle();
      expect(refundsOf(order).map(({ amount }) => amount)).toEqual([usdt(79.5), usdt(20)]);
    });

    it("are set aside if the price turns out too high for an order that is done", async () => {
      const user = await w.createUser();
      await setCost(usdt(0.5));
      const order = await refunded(user, usdt(80));
      await w.settle();
      w.usdt.deposit(order.fundingAddress, usdt(30));
      w.wait(11 * 60_000);
      w.usdt.mine(3);
      await w.scan("USDT");
      await setCost(usdt(40));
      for (let i = 0; i < 2; i += 1) await refundSetAside(w.ctx);
      expect(await w.see(user, order.id)).toMatchObject({ status: "refunded", set_aside_amount: "30" });
      expect((await eventsOf(order)).filter(({ kind }) => kind === "kept_below_cost")).toHaveLength(1);
      await setCost(usdt(0.5));
      await refundSetAside(w.ctx);
      await w.settle();
      expect(refundsOf(order).map(({ amount }) => amount)).toEqual([usdt(79.5), usdt(29.5)]);
    });

    it("do not set the price of a surplus's refund if it is from before an outage", async () => {
      const user = await w.createUser();
      const order = await w.lock(user, "USDT", "100");
      await setCost(usdt(60));
      w.usdt.deposit(order.fundingAddress, usdt(200));
      w.wait(25 * 60_000);
      w.usdt.mine(3);
      await w.scan("USDT");
      expect((await w.see(user, order.id)).status).toBe("paying_out");
      expect(await plannedFor(order)).toMatchObject([{ purpose: "payout" }]);
      await setCost(usdt(0.5));
      await refundSetAside(w.ctx);
      await w.settle();
      expect(refundsOf(order)).toMatchObject([{ amount: usdt(99.5) }]);
      expect((await w.see(user, order.id)).status).toBe("completed");
    });

    it("end an order whose refund had to wait for a price that turns out too high", async () => {
      const user = await w.createUser();
      await setCost(usdt(97.5));
      const order = await w.lock(user, "USDT", "100");
      w.usdt.deposit(order.fundingAddress, usdt(80));
      await w.settle();
      w.wait(11 * 60_000);
      await w.decide(user, order.id, { choice: "refund" });
      expect((await w.see(user, order.id)).status).toBe("refunding");
      await w.tick();
      expect(await w.see(user, order.id)).toMatchObject({ status: "refunded", set_aside_amount: "80" });
    });

    it("are reported again if the refund that was offered in the meantime costs more than they are worth", async () => {
      const user = await w.createUser();
      await setCost(gasCost);
      const order = await w.lock(user, "USDT", "100");
      w.wait(w.ctx.config.lockTtlMs + w.ctx.config.graceMs + 1_000);
      await w.settle();
      for (const amount of [0.3, 60]) {
        w.usdt.deposit(order.fundingAddress, usdt(amount));
        await w.settle();
        await subjectsTo(user);
      }
      await setCost(usdt(70));
      await w.decide(user, order.id, { choice: "refund" });
      await w.settle();
      expect(await w.see(user, order.id)).toMatchObject({ status: "refunded", set_aside_amount: "60.3" });
      const question = `Your swap needs a decision: ${toOrderNumber(order.quoteId)}`;
      const [first, second] = ["Too little to refund: 0.30 USDT", "Too little to refund: 60.30 USDT"];
      expect((await subjectsTo(user)).slice(-3)).toEqual([first, question, second]);
    });

    describe("while another deposit never gets its confirmations", () => {
      /** An order that is refunded while the price of gas is old, and a later deposit on which the nodes never agree. */
      const postponed = async (user: User, amount: bigint) => {
        const order = await w.lock(user, "USDT", "100");
        w.usdt.deposit(order.fundingAddress, amount);
        await w.settle();
        w.wait(33 * 60_000);
        const late = w.usdt.deposit(order.fundingAddress, usdt(30));
        await w.scan("USDT");
        await w.decide(user, order.id, { choice: "refund" });
        expect(await w.see(user, order.id)).toMatchObject({ status: "refunding" });
        const { recheck, scan } = w.usdt;
        const doubt = (transfer: ChainTransfer) => ({ ...transfer, confirmations: 1, disputed: true });
        w.usdt.scan = async (...args) => {
          const found = await scan(...args);
          return { ...found, transfers: found.transfers.map((one) => (one.txHash === late ? doubt(one) : one)) };
        };
        w.usdt.recheck = async (seen) =>
          (await recheck(seen)).map((one) =>
            one === null || one instanceof Error || one.txHash !== late ? one : doubt(one),
          );
        const agree = () => Object.assign(w.usdt, { recheck, scan });
        return { order, agree };
      };
      const keptOf = async (order: OrderRow) =>
        (await eventsOf(order)).filter(({ kind }) => kind === "kept_below_cost").length;

      it("are refunded once the price of gas is known, and that deposit when it is credited after all", async () => {
        const user = await w.createUser();
        await setCost(usdt(0.5));
        const { order, agree } = await postponed(user, usdt(80));
        try {
          await w.settle();
          expect(refundsOf(order).map(({ amount }) => amount)).toEqual([usdt(79.5)]);
          expect((await w.see(user, order.id)).status).toBe("refunded");
        } finally {
          agree();
        }
        await w.settle();
        expect(refundsOf(order).map(({ amount }) => amount)).toEqual([usdt(79.5), usdt(29.5)]);
      });

      it("wait for it if they cost more than they are worth, and come back with it", async () => {
        const user = await w.createUser();
        await setCost(usdt(97.5));
        const { order, agree } = await postponed(user, usdt(80));
        try {
          for (let i = 0; i < 3; i += 1) await w.tick();
          expect(await plannedFor(order)).toEqual([]);
          expect((await w.see(user, order.id)).status).toBe("refunding");
          expect(await keptOf(order)).toBe(0);
        } finally {
          agree();
        }
        await w.settle();
        expect(refundsOf(order).map(({ amount }) => amount)).toEqual([usdt(12.5)]);
        expect((await w.see(user, order.id)).status).toBe("refunded");
      });
    });
  });

  it("do not cost more than one refund: many deposits of an order come back in one transaction", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    for (let i = 0; i < 30; i += 1) w.usdt.deposit(order.fundingAddress, usdt(1));
    await w.settle();
    await setPayments(false);
    await w.decide(user, order.id, { choice: "refund" });
    // They arrive while the refund is planned but not signed, and come back with it.
    for (let i = 0; i < 5; i += 1) w.usdt.deposit(order.fundingAddress, usdt(2));
    await w.settle();
    await setPayments(true);
    await w.settle();
    expect(refundsOf(order)).toMatchObject([{ amount: usdt(40) - gasCost }]);
    const rows = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(rows).toMatchObject([{ grossAmount: usdt(40), amount: usdt(40) - gasCost }]);
    expect((await w.see(user, order.id)).status).toBe("refunded");
  });

  it("wait for payouts: a payout that is planned later is paid before a refund", async () => {
    const refunded = await cancelled(await w.createUser());
    const paid = await w.lock(await w.createUser(), "MOB", "100");
    await setPayments(false);
    w.usdt.deposit(refunded.fundingAddress, usdt(5));
    await w.settle();
    w.mob.deposit(paid.fundingAddress, 100n * 10n ** 12n);
    await w.settle();
    await setPayments(true);
    await w.settle();
    const rows = await w.ctx.db.select().from(payments).where(eq(payments.asset, "USDT")).orderBy(asc(payments.nonce));
    expect(rows.slice(-2).map(({ orderId }) => orderId)).toEqual([paid.id, refunded.id]);
  });

  it("do not block the scan or any order, however many of them one transaction makes", async () => {
    const count = 1_200;
    const [victim, other] = [await w.createUser(), await w.createUser()];
    const order = await w.lock(victim, "USDT", "100");
    const second = await w.lock(other, "USDT", "100");
    w.usdt.deposit(second.fundingAddress, usdt(60));
    await w.settle();
    const txHash = `dust-${randomUUID()}`;
    for (let i = 0; i < count; i += 1) w.usdt.deposit(order.fundingAddress, 1n, { txHash, ordinal: i });

    // Between two transactions of the scan, others get every lock that they need.
    const batches: string[] = [];
    const scanning = countStatements(w.ctx, async (transactions) => {
      if (transactions !== 10) return;
      await w.lock(await w.createUser(), "USDT", "50");
      await w.decide(other, second.id, { choice: "accept" });
      batches.push("others went on");
    });
    await w.inProcess(scanning.ctx).scan("USDT");
    expect(batches).toEqual(["others went on"]);
    expect(scanning.transactions).toBeGreaterThan(count / 100);
    expect(scanning.statements, "statements of the first scan").toBeLessThan(count);

    w.usdt.mine(3);
    for (const what of ["confirms", "repeats"]) {
      const again = countStatements(w.ctx);
      await w.inProcess(again.ctx).scan("USDT");
      expect(again.statements, `statements of a scan that ${what}`).toBeLessThan(count);
    }
    expect(await getBalance(w.ctx.db, "USDT", heldFor(order.id))).toBe(BigInt(count));

    const view = await w.see(victim, order.id);
    expect(view).toMatchObject({ status: "needs_decision", received_amount: "0.0012", incoming_count: count });
    expect(view.incoming_txs).toHaveLength(20);
    expect(JSON.stringify(view).length).toBeLessThan(16_000);
    await w.decide(victim, order.id, { choice: "refund" });
    await w.settle();
    expect(await w.see(victim, order.id)).toMatchObject({ status: "refunded", set_aside_amount: "0.0012" });
    expect(refundsOf(order)).toEqual([]);
    const [events] = await queryRows<{ count: number }>(
      w.ctx.db,
      sql`select count(*)::int as count from order_events where order_id = ${order.id}`,
    );
    expect(events?.count).toBeLessThan(count / 10);

    // A refund of all of them records each deposit once.
    w.usdt.deposit(order.fundingAddress, usdt(5));
    await w.settle();
    expect(refundsOf(order)).toMatchObject([{ amount: usdt(5) + BigInt(count) - gasCost }]);
    const parts = await queryRows<{ deposits: number; amount: string }>(
      w.ctx.db,
      sql`select count(*)::int as deposits, sum(part.amount)::text as amount from refunded_deposits part
        join payments on payments.id = part.payment_id where payments.order_id = ${order.id}`,
    );
    expect(parts).toEqual([{ deposits: count + 1, amount: String(usdt(5) + BigInt(count)) }]);
  });
});
