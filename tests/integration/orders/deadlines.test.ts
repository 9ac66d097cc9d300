import { eq } from "drizzle-orm";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listAlerts, raiseAlert } from "~/exchange.server/alerts/alerts";
import type { Database } from "~/exchange.server/db/database";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { alerts } from "~/exchange.server/db/schema/alerts";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { unknownPayments } from "~/exchange.server/db/schema/history";
import { type OrderRow, orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { quotes } from "~/exchange.server/db/schema/quotes";
import { scanChain } from "~/exchange.server/deposits/scan";
import { newId } from "~/exchange.server/ids";
import { takeDueSteps } from "~/exchange.server/jobs/due-steps";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { external, getBalance, post, reservedFor, treasury } from "~/exchange.server/ledger/ledger";
import { expireOrders } from "~/exchange.server/orders/due-steps/expire-orders";
import { refundOverdue } from "~/exchange.server/orders/due-steps/refund-overdue";
import { releaseStaleReserves } from "~/exchange.server/orders/due-steps/release-stale-reserves";
import { holdOrder, releaseOrder } from "~/exchange.server/orders/holds/hold";
import { addMs } from "~/lib/durations";
import { interrupted } from "../../support/interrupted";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";

const minute = 60_000;
const hour = 60 * minute;

let database: OpenDatabase;
let w: OrdersHarness;
let user: User;
/** What was logged as an error; alerts are logged as fatal. */
let errors: { order?: string; level: number }[];
beforeEach(async () => {
  errors = [];
  const write = (line: string) =>
    errors.push(...[JSON.parse(line)].filter(({ level }) => level === pino.levels.values.error));
  const log = pino({ level: "error" }, { write });
  database = await openTestDatabase("PostgreSQL");
  w = await createOrdersHarness(database, { log });
  user = await w.createUser();
});
afterEach(async () => {
  expect(await checkBooks(w.ctx.db)).toEqual([]);
  await database.close();
});

const now = () => w.ctx.clock.now(w.ctx.db);
const lock = () => w.lock(user, "USDT", "100");
const statusOf = async ({ id }: { id: string }) => (await w.see(user, id)).status;
const reserveOf = ({ id }: { id: string }) => getBalance(w.ctx.db, "MOB", reservedFor(id));
const hold = ({ id }: { id: string }) => w.ctx.db.transaction((tx) => holdOrder(tx, w.ctx, id, { reason: "A check." }));
const release = ({ id }: { id: string }) => w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, id));
/** An order that was paid, confirmed and booked: at 100 percent its payout is planned. */
const pay = async (percent: bigint) => {
  const order = await lock();
  w.usdt.deposit(order.fundingAddress, percent * 1_000_000n);
  w.usdt.mine(3);
  await w.scan("USDT");
  return order;
};
/** A context whose clock is a month ahead. */
const inAMonth = () => ({
  ...w.ctx,
  clock: { now: async (db: Database) => addMs(await w.ctx.clock.now(db), 30 * 24 * hour) },
});
/** Lets time pass, and the scanner read the chain until then. */
const passTime = async (ms: number) => {
  w.wait(ms);
  await w.scan("USDT");
};
/** A hundred more orders in the state of one, without money. */
const addHundredLike = async ({ id }: OrderRow) => {
  const { db } = w.ctx;
  const [order] = await db.select().from(orders).where(eq(orders.id, id));
  if (!order) throw new Error("the order exists");
  const [quote] = await db.select().from(quotes).where(eq(quotes.id, order.quoteId));
  if (!quote) throw new Error("its quote exists");
  const added = await db
    .insert(quotes)
    .values(Array.from({ length: 100 }, (_, i) => ({ ...quote, id: i + 1 })))
    .returning({ id: quotes.id });
  await db.insert(orders).values(
    added.map((copy) => ({
      ...order,
      ...{
        id: newId(),
        fundingIndex: undefined,
        quoteId: copy.id,
        fundingAddress: `like-${copy.id}`,
        trackingHash: null,
      },
    })),
  );
};

describe("an unpaid order", () => {
  it("expires once, and gives its reserve back", async () => {
    const order = await lock();
    await passTime(33 * minute);
    expect(await expireOrders(w.ctx)).toBe(1);
    expect([await statusOf(order), await reserveOf(order)]).toEqual(["expired", 0n]);
    expect(await expireOrders(w.ctx)).toBe(0);
  });

  it("waits for a payment in the mempool for as long again as it was locked", async () => {
    const order = await lock();
    const { lockTtlMs, graceMs } = w.ctx.config;
    const queried: string[][] = [];
    w.usdt.findPending = async (addresses) => {
      queried.push([...addresses]);
      return new Set(addresses);
    };
    await passTime(2 * lockTtlMs + 2 * graceMs - minute);
    expect(await expireOrders(w.ctx)).toBe(0);
    expect(await statusOf(order)).toBe("awaiting_deposit");
    await passTime(2 * minute);
    expect(await expireOrders(w.ctx)).toBe(1);
    expect(queried, "nodes are not queried without an address").toEqual([[order.fundingAddress]]);
  });

  it("expires on time if no node shows its pending transactions", async () => {
    const order = await lock();
    w.usdt.faults.pending = null;
    await passTime(33 * minute);
    expect(await expireOrders(w.ctx)).toBe(1);
    expect(await statusOf(order)).toBe("expired");
  });

  it("does not expire by the time of a chain that is ahead of ours", async () => {
    const order = await lock();
    const ahead = new Date((await now()).getTime() + hour);
    await w.ctx.db.update(chainStates).set({ scannedThrough: ahead }).where(eq(chainStates.asset, "USDT"));
    expect(await expireOrders(w.ctx)).toBe(0);
    expect(await statusOf(order)).toBe("awaiting_deposit");
  });

  it("stays cancelled if it is cancelled while it is about to expire", async () => {
    const order = await lock();
    await passTime(33 * minute);
    expect(await expireOrders(interrupted(w.ctx, () => w.cancel(order.id)))).toBe(0);
    expect(await statusOf(order)).toBe("cancelled");
    expect(errors).toEqual([]);
  });

  it("does not expire if a deposit is recorded while it is about to", async () => {
    const other = await pay(60n);
    const order = await lock();
    await passTime(33 * minute);
    const record = async () => {
      const [seen] = await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, other.id));
      if (!seen) throw new Error("the other order has a deposit");
      const own = { id: newId(), orderId: order.id, txHash: "another", status: "pending" as const, creditedAt: null };
      await w.ctx.db.insert(deposits).values({ ...seen, ...own });
    };
    expect(await expireOrders(interrupted(w.ctx, record))).toBe(0);
    expect(await statusOf(order)).toBe("awaiting_deposit");
    expect(await reserveOf(order)).toBeGreaterThan(0n);
  });

  it("does not keep others from expiring if it cannot expire itself", async () => {
    const both = [await lock(), await lock()];
    await passTime(33 * minute);
    const lose = () => Promise.reject(new Error("the connection is lost"));
    expect(await expireOrders(interrupted(w.ctx, lose))).toBe(1);
    expect(errors).toHaveLength(1);
    expect(both.map(({ id }) => id)).toContain(errors[0]?.order);
    expect(await expireOrders(w.ctx)).toBe(1);
  });

  it("expires in the next run if there are more than a hundred", async () => {
    await addHundredLike(await lock());
    await passTime(33 * minute);
    expect([await expireOrders(w.ctx), await expireOrders(w.ctx), await expireOrders(w.ctx)]).toEqual([100, 1, 0]);
  });
});

describe("an order past the deadline of its decision or hold", () => {
  it.each(["needs_decision", "on_hold"])(
    "is refunded once, even if two processes see that it is due: %s",
    async (state) => {
      const order = await pay(60n);
      if (state === "on_hold") await hold(order);
      await passTime(73 * hour);
      const counts: number[] = [];
      counts.push(await refundOverdue(interrupted(w.ctx, async () => counts.push(await refundOverdue(w.ctx)))));
      expect(counts).toEqual([1, 0]);
      expect(await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id))).toMatchObject([
        { purpose: "refund", status: "planned" },
      ]);
      expect(errors).toEqual([]);
    },
  );

  it.each(["needs_decision", "on_hold"])("T61 is not refunded early if the clock jumps ahead: %s", async (state) => {
    const order = await pay(60n);
    if (state === "on_hold") await hold(order);
    w.usdt.mine();
    await scanChain(inAMonth(), "USDT");
    expect(await refundOverdue(inAMonth())).toBe(0);
    expect(await statusOf(order)).toBe(state);
  });

  it("T61 has no less time for its decision after a hold that began while the clock was ahead", async () => {
    const order = await pay(60n);
    const { decision } = await w.see(user, order.id);
    await w.ctx.db.transaction((tx) => holdOrder(tx, inAMonth(), order.id, { reason: "A check." }));
    await release(order);
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { deadline: decision?.deadline },
    });
  });

  it("waits for a decision if it is released in time from a hold that came before the question", async () => {
    const order = await lock();
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.scan("USDT");
    await hold(order);
    w.usdt.mine(3);
    await w.scan("USDT");
    await passTime(73 * hour);
    expect(await refundOverdue(interrupted(w.ctx, () => release(order)))).toBe(0);
    expect(await w.see(user, order.id)).toMatchObject({
      status: "needs_decision",
      decision: { reason: "underpaid" },
      outgoing_txs: [],
    });
  });

  it("is asked again with the full time if a payment made in time took days to be confirmed", async () => {
    const order = await pay(60n);
    w.usdt.deposit(order.fundingAddress, 20_000_000n);
    await passTime(73 * hour);
    expect(await statusOf(order)).toBe("confirming");
    w.usdt.mine(3);
    await w.tick();
    const { status, decision } = await w.see(user, order.id);
    expect([status, decision?.amount]).toEqual(["needs_decision", "80"]);
    expect(Date.parse(decision?.deadline ?? "") - (await now()).getTime()).toBeGreaterThan(71 * hour);
  });

  const reportFailedRefund = async ({ id }: OrderRow) => {
    const failed = { reason: "The order cannot be refunded.", action: "Look for its ID in the log.", at: await now() };
    await raiseAlert(w.ctx.db, w.ctx, { subject: `order:${id}`, orderId: id, ...failed });
  };

  it("has no alert about a refund that failed once a payment made in time is found", async () => {
    const order = await pay(60n);
    await reportFailedRefund(order);
    w.usdt.deposit(order.fundingAddress, 40_000_000n);
    await w.scan("USDT");
    expect([await statusOf(order), await listAlerts(w.ctx.db)]).toEqual(["confirming", []]);
  });

  it("keeps the alert about a refund that failed if a payment made in time is found while it is on hold", async () => {
    const order = await pay(60n);
    await hold(order);
    await reportFailedRefund(order);
    w.usdt.deposit(order.fundingAddress, 40_000_000n);
    await w.scan("USDT");
    const alerts = await listAlerts(w.ctx.db);
    expect([await statusOf(order), alerts.map(({ subject }) => subject)]).toEqual(["on_hold", [`order:${order.id}`]]);
  });

  it("keeps its deadline if more arrives late", async () => {
    const order = await pay(60n);
    const deadline = (await w.see(user, order.id)).decision?.deadline;
    await passTime(71 * hour);
    w.usdt.deposit(order.fundingAddress, 20_000_000n);
    w.usdt.mine(3);
    await w.tick();
    expect((await w.see(user, order.id)).decision).toMatchObject({ amount: "80", deadline });
  });

  it("stays on hold if it is held again in the meantime", async () => {
    const order = await pay(60n);
    await hold(order);
    await passTime(73 * hour);
    const holdAgain = async () => {
      await release(order);
      await hold(order);
    };
    expect(await refundOverdue(interrupted(w.ctx, holdAgain))).toBe(0);
    expect(await w.see(user, order.id)).toMatchObject({ status: "on_hold", outgoing_txs: [] });
  });

  it("is tried again after a minute if we lack the funds to undo its swap, without delaying others", async () => {
    const order = await pay(100n);
    await hold(order);
    const other = await pay(60n);
    await passTime(73 * hour);
    const funds = await getBalance(w.ctx.db, "USDT", treasury);
    const move = async (from: string, to: string) => {
      const transfers = [{ asset: "USDT" as const, from, to, amount: funds, kind: "float" as const }];
      const at = await now();
      await w.ctx.db.transaction((tx) => post(tx, { transfers, orderId: null, at }));
    };
    await move(treasury, external);
    expect(await refundOverdue(w.ctx)).toBe(1);
    expect(await statusOf(other)).toBe("refunding");
    expect(await listAlerts(w.ctx.db)).toMatchObject([
      {
        orderId: order.id,
        reason: expect.stringMatching(/^The order cannot be refunded: /),
        action: expect.stringContaining("operate float"),
      },
    ]);
    expect([await refundOverdue(w.ctx), errors.length], "it waits").toEqual([0, 1]);
    w.wait(minute + 1_000);
    expect([await refundOverdue(w.ctx), errors.length], "it is tried again").toEqual([0, 2]);
    await w.ctx.db.update(alerts).set({ retryAt: addMs(await now(), hour) });
    expect([await refundOverdue(w.ctx), errors.length], "T61 the clock was corrected").toEqual([0, 3]);
    await move(external, treasury);
    w.wait(minute + 1_000);
    expect(await refundOverdue(w.ctx)).toBe(1);
    expect(await statusOf(order)).toBe("refunding");
    expect(await listAlerts(w.ctx.db)).toEqual([]);
  });

  it("is not refunded while our wallet may have paid it out already", async () => {
    const order = await pay(100n);
    await hold(order);
    const { targetAmount: amount } = order;
    const foundAt = await now();
    const made = { asset: "MOB" as const, hash: "forgotten", address: order.deliveryAddress, amount, foundAt };
    await w.ctx.db.insert(unknownPayments).values(made);
    await passTime(73 * hour);
    expect(await refundOverdue(w.ctx)).toBe(0);
    expect(await statusOf(order)).toBe("on_hold");
    expect(await listAlerts(w.ctx.db)).toMatchObject([
      { orderId: order.id, reason: "The order cannot be refunded.", action: expect.stringMatching(/^Look/) },
    ]);
    await w.ctx.db.transaction((tx) => releaseOrder(tx, w.ctx, order.id));
    expect(await listAlerts(w.ctx.db), "nothing more is refunded").toEqual([]);
  });

  it("is refunded in the next run if there are more than a hundred", async () => {
    await addHundredLike(await pay(60n));
    await passTime(73 * hour);
    expect([await refundOverdue(w.ctx), await refundOverdue(w.ctx), await refundOverdue(w.ctx)]).toEqual([100, 1, 0]);
  });
});

describe("the reserve of an underpaid order", () => {
  it("is released if the order was put on hold, even while it is about to be released", async () => {
    const [held, stopped] = [await pay(60n), await pay(60n)];
    await hold(held);
    await takeDueSteps(w.ctx);
    expect(await reserveOf(held)).toBeGreaterThan(0n);
    await passTime(33 * minute);
    const ctx = interrupted(w.ctx, () => hold(stopped));
    await releaseStaleReserves(ctx);
    expect([await reserveOf(held), await reserveOf(stopped)]).toEqual([0n, 0n]);
    expect([await statusOf(held), await statusOf(stopped)]).toEqual(["on_hold", "on_hold"]);
    await release(held);
    await w.tick();
    expect((await w.see(user, held.id)).decision?.choices).toEqual(["requote", "refund"]);
  });

  it("is kept if the order is on hold and waits for its deposits", async () => {
    const order = await pay(60n);
    w.usdt.deposit(order.fundingAddress, 40_000_000n);
    await w.scan("USDT");
    await hold(order);
    await passTime(33 * minute);
    await takeDueSteps(w.ctx);
    expect(await reserveOf(order)).toBeGreaterThan(0n);
  });

  it("is kept until the chain was read past the deadline, for a payment made in time that was not read yet", async () => {
    const order = await pay(60n);
    w.wait(10 * minute);
    w.usdt.deposit(order.fundingAddress, 40_000_000n);
    w.wait(25 * minute);
    await takeDueSteps(w.ctx);
    expect(await reserveOf(order)).toBeGreaterThan(0n);
    // Other customers' swaps use the rest of our funds.
    const amount = await getBalance(w.ctx.db, "MOB", treasury);
    const transfers = [{ asset: "MOB" as const, from: treasury, to: external, amount, kind: "float" as const }];
    const at = await now();
    await w.ctx.db.transaction((tx) => post(tx, { transfers, orderId: null, at }));
    w.usdt.mine(3);
    await w.tick();
    expect(await statusOf(order)).toBe("paying_out");
  });

  it("is kept while the chain is not in sync", async () => {
    const order = await pay(60n);
    await passTime(33 * minute);
    w.usdt.faults.synced = false;
    w.usdt.mine();
    await w.scan("USDT");
    await releaseStaleReserves(w.ctx);
    expect(await reserveOf(order)).toBeGreaterThan(0n);
  });

  it.each(["needs_decision", "on_hold"])(
    "is taken again as soon as a payment made in time is found late: %s",
    async (state) => {
      const order = await pay(60n);
      const reserve = await reserveOf(order);
      const inTime = await now();
      await passTime(33 * minute);
      await takeDueSteps(w.ctx);
      expect([await statusOf(order), await reserveOf(order)]).toEqual(["needs_decision", 0n]);
      if (state === "on_hold") await hold(order);
      w.usdt.deposit(order.fundingAddress, 40_000_000n, { at: inTime });
      w.usdt.mine();
      await w.scan("USDT");
      expect(await statusOf(order)).toBe(state === "on_hold" ? "on_hold" : "confirming");
      expect(await reserveOf(order)).toBe(reserve);
    },
  );
});

it("the job of due steps expires quotes and releases reserves whose rate has passed", async () => {
  const quote = await w.quote(user, "USDT", "100");
  const underpaid = await pay(60n);
  expect(await reserveOf(underpaid)).toBeGreaterThan(0n);
  await passTime(33 * minute);
  await takeDueSteps(w.ctx);
  expect(await reserveOf(underpaid)).toBe(0n);
  const [row] = await w.ctx.db.select({ status: quotes.status }).from(quotes).where(eq(quotes.id, quote.id));
  expect(row?.status).toBe("expired");
});
