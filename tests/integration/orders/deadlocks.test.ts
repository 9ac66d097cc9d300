import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { type OrderRow, orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { applyTransfers } from "~/exchange.server/deposits/apply-transfers";
import { reverseDeposit } from "~/exchange.server/deposits/rechecks/reverse-deposit";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { external, post, treasury } from "~/exchange.server/ledger/ledger";
import { lockOrderRow, touchOrder } from "~/exchange.server/orders/transition";
import { prepareNext } from "~/exchange.server/payments/preparing/prepare";
import { broadcastPrepared } from "~/exchange.server/payments/sending/broadcast";
import type { AssetSymbol } from "~/lib/assets";
import { deferred } from "../../support/deferred";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { createTestPostgres, untilBlocked } from "../../support/postgres";

describe("T66 transactions over several orders on PostgreSQL", () => {
  let database: OpenDatabase;
  let w: OrdersHarness;
  let user: User;
  beforeAll(async () => {
    database = await openPostgres(await createTestPostgres(), { poolSize: 10 });
    w = await createOrdersHarness(database, { config: { maxWaitingOrders: 100 } });
    user = await w.createUser();
  });
  afterAll(async () => {
    expect(await checkBooks(database.db)).toEqual([]);
    await database.close();
  });

  /** Resolves once `count` callers wait for it. */
  const createBarrier = (count: number) => {
    let arrived = 0;
    const opened = deferred();
    return async () => {
      arrived += 1;
      if (arrived >= count) opened.resolve();
      await opened.promise;
    };
  };

  it("are repeated if the database ends one of them because of a deadlock", async () => {
    const first = await w.lock(user, "USDT", "100");
    const second = await w.lock(user, "USDT", "100");
    const meet = createBarrier(2);
    let runs = 0;
    const lockBoth = (one: string, other: string) =>
      database.db.transaction(async (tx) => {
        runs += 1;
        await lockOrderRow(tx, one);
        await meet();
        await lockOrderRow(tx, other);
        await touchOrder(tx, other, new Date());
      });
    await Promise.all([lockBoth(first.id, second.id), lockBoth(second.id, first.id)]);
    expect(runs).toBeGreaterThan(2);
    for (const order of [first, second]) await w.cancel(order.id);
  });

  it("are not repeated after an error that is not a conflict", async () => {
    let runs = 0;
    const broken = database.db.transaction(async () => {
      runs += 1;
      throw new Error("not a conflict");
    });
    await expect(broken).rejects.toThrow("not a conflict");
    expect(runs).toBe(1);
  });

  it("do not deadlock: a scan locks every order it needs before it touches the ledger", async () => {
    const made = [await w.lock(user, "USDT", "100"), await w.lock(user, "USDT", "100")];
    const [filled, decided] = made.sort((a, b) => (a.id < b.id ? -1 : 1)) as [OrderRow, OrderRow];
    w.usdt.deposit(decided.fundingAddress, 60_000_000n);
    await w.settle();
    w.usdt.deposit(filled.fundingAddress, 100_000_000n);
    w.usdt.deposit(decided.fundingAddress, 1_000_000n);
    w.usdt.mine(3);
    const both = new Set([filled.fundingAddress, decided.fundingAddress]);
    const { transfers } = await w.usdt.scan(null, async () => both);
    let scans = 0;
    let decision: Promise<unknown> | undefined;
    const { clock } = w.ctx;
    const now: typeof clock.now = async (db) => {
      const [order] = await database.db.select({ status: orders.status }).from(orders).where(eq(orders.id, decided.id));
      const [own] = await db.select({ status: orders.status }).from(orders).where(eq(orders.id, filled.id));
      // The customer decides while the scan has filled the first order and is not at the second yet.
      if (own?.status === "paying_out" && order?.status === "needs_decision" && !decision) {
        decision = w.decide(user, decided.id, { choice: "accept" });
        decision.catch(() => undefined);
        await untilBlocked(database.db);
      }
      return clock.now(db);
    };
    await database.db.transaction(async (tx) => {
      scans += 1;
      const ctx = { ...w.ctx, clock: { ...clock, now } };
      await applyTransfers(tx, ctx, { asset: "USDT", transfers, seenAt: new Date() });
    });
    expect(decision).toBeDefined();
    expect(scans).toBe(1);
    await Promise.allSettled([decision]);
    await w.settle();
    expect((await w.see(user, filled.id)).status).toBe("completed");
  });

  it("do not deadlock: a removed deposit is taken back with `external` locked before the treasuries", async () => {
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    w.usdt.mine(3);
    await w.scan("USDT");
    const [deposit] = await database.db.select().from(deposits).where(eq(deposits.orderId, order.id));
    if (!deposit) throw new Error("no deposit");
    const runs = { reversal: 0, deposit: 0 };
    const reverse = () =>
      database.db.transaction((tx) => {
        runs.reversal += 1;
        return reverseDeposit(tx, w.ctx, { deposit, found: null });
      });
    let reversed: Promise<unknown> | undefined;
    // As a scan that credits a deposit and then fills its order.
    await database.db.transaction(async (tx) => {
      runs.deposit += 1;
      const at = await w.ctx.clock.now(tx);
      const add = (asset: AssetSymbol) =>
        post(tx, {
          transfers: [{ asset, from: external, to: treasury, amount: 1n, kind: "float" }],
          orderId: null,
          at,
        });
      await add("USDT");
      reversed ??= reverse();
      await untilBlocked(database.db);
      await add("MOB");
    });
    await reversed;
    expect(runs).toEqual({ reversal: 1, deposit: 1 });
    expect((await w.see(user, order.id)).status).toBe("awaiting_deposit");
  });

  it("do not deadlock: a payment is marked as sent with its order locked first", async () => {
    await w.settle();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    w.usdt.mine(3);
    await w.scan("USDT");
    expect(await prepareNext(w.ctx, "MOB")).toBe("prepared");
    const runs = { change: 0, sending: 0 };
    const { clock } = w.ctx;
    const now: typeof clock.now = (db) => {
      if (db !== w.ctx.db) runs.sending += 1;
      return clock.now(db);
    };
    let sent: Promise<void> | undefined;
    // As another job that changes the payment.
    await database.db.transaction(async (tx) => {
      runs.change += 1;
      await lockOrderRow(tx, order.id);
      sent ??= broadcastPrepared({ ...w.ctx, clock: { ...clock, now } }, "MOB");
      await untilBlocked(database.db);
      await tx.update(payments).set({ lastError: null }).where(eq(payments.orderId, order.id));
    });
    await sent;
    expect(runs).toEqual({ change: 1, sending: 1 });
    await w.settle();
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it("apply many transfers of one scan in several transactions", async () => {
    const order = await w.lock(user, "USDT", "100");
    for (let i = 0; i < 120; i += 1) {
      w.usdt.deposit(order.fundingAddress, 1_000_000n, { txHash: "0xbatch", ordinal: i });
    }
    w.usdt.mine(3);
    await w.settle();
    const view = await w.see(user, order.id);
    expect(view.incoming_count).toBe(120);
    expect(view.status).toBe("completed");
  });
});
