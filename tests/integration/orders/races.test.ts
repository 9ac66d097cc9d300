import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accounts } from "../../../app/exchange.server/accounts/tables";
import { type OpenDatabase, openPostgres } from "../../../app/exchange.server/db/open";
import { newId } from "../../../app/exchange.server/ids";
import { applyKycDecision } from "../../../app/exchange.server/kyc/decide";
import { kycApplications } from "../../../app/exchange.server/kyc/tables";
import { checkBooks } from "../../../app/exchange.server/ledger/check-books";
import { getBalance, getObligations, heldFor, house, post, world } from "../../../app/exchange.server/ledger/ledger";
import { holdOrdersOf } from "../../../app/exchange.server/orders/hold";
import { lockQuote } from "../../../app/exchange.server/orders/lock-quote";
import { scanChain } from "../../../app/exchange.server/orders/scan";
import { deposits, orders, payments } from "../../../app/exchange.server/orders/tables";
import { lockOrder } from "../../../app/exchange.server/orders/transition";
import { createQuote, insertQuote } from "../../../app/exchange.server/quotes/quotes";
import { createOrdersWorld, type OrdersWorld } from "../../support/orders-world";
import { createTestPostgres } from "../../support/postgres";

/** 200 requests at once on real PostgreSQL, over two pools as two processes would have. */
describe("races on PostgreSQL", () => {
  let database: OpenDatabase;
  let second: OpenDatabase;
  let w: OrdersWorld;
  beforeAll(async () => {
    const url = await createTestPostgres();
    database = await openPostgres(url, { poolSize: 20 });
    second = await openPostgres(url, { poolSize: 20 });
    w = await createOrdersWorld(database);
  });
  // On a busy machine a race outlives the half minute for which a look at the chains counts.
  beforeEach(() => w.tick());
  afterAll(async () => {
    expect(await checkBooks(database.db)).toEqual([]);
    await database.close();
    await second.close();
  });

  const request = (user: Awaited<ReturnType<OrdersWorld["createUser"]>>) => ({
    delivery_address_id: user.own.MOB.id,
    refund_address_id: user.own.ETH.id,
  });
  const quoteFor = (accountId: string, amount = "100") =>
    createQuote(w.x, accountId, { source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: amount });
  const contexts = () => [w.x, { ...w.x, db: second.db }];
  const both = (i: number) => contexts()[i % 2] ?? w.x;

  test("T37 one quote locked 200 times at once is one order and one reserve", async () => {
    const user = await w.createUser();
    const quote = await quoteFor(user.accountId);
    const before = await getBalance(w.x.db, "MOB", house);
    const owner = { accountId: user.accountId, payoutsWaitUntil: null };
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, i) => lockQuote(both(i), owner, quote.id, request(user), newId())),
    );
    expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(1);
    for (const r of results) if (r.status === "rejected") expect(r.reason).toMatchObject({ code: "quote_locked" });
    expect(await w.x.db.select().from(orders).where(eq(orders.quoteId, quote.id))).toHaveLength(1);
    const reserved = before - (await getBalance(w.x.db, "MOB", house));
    expect(reserved).toBeGreaterThan(quote.targetAmount);
    expect(reserved).toBeLessThan((quote.targetAmount * 103n) / 100n);
  });

  test("T39 one Idempotency-Key 200 times at once is one order, and every answer that is one is that one", async () => {
    const user = await w.createUser();
    const quote = await quoteFor(user.accountId);
    const owner = { accountId: user.accountId, payoutsWaitUntil: null };
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, i) => lockQuote(both(i), owner, quote.id, request(user), "the-same-key")),
    );
    const answers = results.flatMap((r) => (r.status === "fulfilled" ? [r.value] : []));
    expect(answers.filter((a) => a.made)).toHaveLength(1);
    expect(new Set(answers.map((a) => a.order.id)).size).toBe(1);
    for (const r of results) {
      if (r.status === "rejected") expect(["idempotency_in_flight", "quote_locked"]).toContain(r.reason.code);
    }
    await expect(
      lockQuote(w.x, owner, quote.id, { ...request(user), refund_address_id: "another" }, "the-same-key"),
    ).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  test("T43 at most 5 orders await a deposit, however many are locked at once", async () => {
    const user = await w.createUser();
    const quotes = await Promise.all(Array.from({ length: 20 }, () => quoteFor(user.accountId)));
    const owner = { accountId: user.accountId, payoutsWaitUntil: null };
    const results = await Promise.allSettled(
      quotes.map((quote, i) => lockQuote(both(i), owner, quote.id, request(user), newId())),
    );
    expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(5);
    for (const r of results) if (r.status === "rejected") expect(r.reason).toMatchObject({ code: "too_many_orders" });
  });

  test("T43 T60 reserves never exceed what the wallet holds, however many lock at once", async () => {
    w.mob.faults.spendable = 0n;
    const users = await Promise.all(Array.from({ length: 10 }, () => w.createUser()));
    const reserve = await getObligations(w.x.db, "MOB");
    w.mob.faults.spendable = reserve + 1_000n * 10n ** 12n;
    await w.tick();
    const quotes = await Promise.all(users.map((u) => quoteFor(u.accountId)));
    const results = await Promise.allSettled(
      users.map((u, i) =>
        lockQuote(both(i), { accountId: u.accountId, payoutsWaitUntil: null }, quotes[i]?.id ?? 0, request(u), newId()),
      ),
    );
    // 100 USDT reserve about 290 MOB: three fit into 1,000.
    expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(3);
    for (const r of results) if (r.status === "rejected") expect(r.reason).toMatchObject({ code: "liquidity" });
    w.mob.faults.spendable = 10n ** 18n;
    await w.tick();
  });

  test("T51 the same transfers scanned by many at once are credited once", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    w.usdt.mine(3);
    await Promise.all(Array.from({ length: 20 }, (_, i) => scanChain(both(i), "USDT")));
    await w.settle();
    expect(await w.x.db.select().from(deposits).where(eq(deposits.orderId, order.id))).toHaveLength(1);
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  test("T54 a refund chosen 50 times while an acceptance is chosen 50 times: one of them wins, once", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) => w.decide(user, order.id, { choice: i % 2 ? "accept" : "refund" })),
    );
    const won = results.filter((r) => r.status === "fulfilled").length;
    expect(won).toBe(50);
    await w.settle();
    const rows = await w.x.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(rows).toHaveLength(1);
    expect(["completed", "refunded"]).toContain((await w.see(user, order.id)).status);
  });

  test("a deposit with its swap, and a payment booked in between, do not wait for each other in a circle", async () => {
    const entry = (from: string, to: string, kind: "deposit" | "swap_in" | "network_fee") => ({
      transfers: [{ asset: "MOB" as const, from, to, amount: 7n, kind }],
      orderId: null,
      at: new Date(),
    });
    let paid: Promise<void> | undefined;
    await w.x.db.transaction(async (tx) => {
      await post(tx, entry(world, heldFor("somebody"), "deposit"));
      paid = second.db.transaction((other) => post(other, entry(house, world, "network_fee")));
      await sleep(300);
      await post(tx, entry(heldFor("somebody"), house, "swap_in"));
    });
    await paid;
  });

  test("an identity withdrawn while an order of it is worked on: both go through", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    const application = newId();
    const now = new Date();
    await w.x.db.insert(kycApplications).values({
      id: application,
      accountId: user.accountId,
      status: "approved",
      reasons: [],
      details: "",
      provider: "none",
      createdAt: now,
      updatedAt: now,
    });
    let withdrawn: Promise<boolean> | undefined;
    await w.x.db.transaction(async (tx) => {
      const { sourceAsset: source, targetAsset: target, ...price } = await lockOrder(tx, order.id);
      withdrawn = applyKycDecision(
        { ...w.x, db: second.db },
        application,
        { status: "rejected", reasons: [], decidedAt: now },
        (other, accountId) => holdOrdersOf(other, w.x, accountId, "Identity withdrawn."),
      );
      await sleep(300);
      await insertQuote(tx, w.x, { accountId: user.accountId, source, target, price, offerForOrderId: order.id });
    });
    expect(await withdrawn).toBe(true);
    expect((await w.see(user, order.id)).status).toBe("on_hold");
  });

  test("T35 another account's quote and order are not there", async () => {
    const user = await w.createUser();
    const other = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    await expect(w.see(other, order.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(w.decide(other, order.id, { choice: "refund" })).rejects.toMatchObject({ code: "not_found" });
    const quote = await quoteFor(user.accountId);
    const thief = { accountId: other.accountId, payoutsWaitUntil: null };
    await expect(lockQuote(w.x, thief, quote.id, request(other), newId())).rejects.toMatchObject({ code: "not_found" });
  });

  test("T38 a lock that was held across the end of a quote is refused", async () => {
    const user = await w.createUser();
    const quote = await quoteFor(user.accountId);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const blocker = second.db.transaction(async (tx) => {
      await tx.select().from(orders).limit(1);
      await tx.select().from(accounts).where(eq(accounts.id, user.accountId)).for("update");
      await held;
    });
    const attempt = lockQuote(
      w.x,
      { accountId: user.accountId, payoutsWaitUntil: null },
      quote.id,
      request(user),
      newId(),
    );
    attempt.catch(() => undefined);
    await sleep(300);
    w.wait(61_000);
    release();
    await blocker;
    await expect(attempt).rejects.toMatchObject({ code: "quote_expired" });
  });
});
