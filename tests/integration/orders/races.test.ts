import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenDatabase, openPostgres } from "~/exchange.server/db/open";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { deposits } from "~/exchange.server/db/schema/deposits";
import { kycApplications } from "~/exchange.server/db/schema/kyc";
import { orders } from "~/exchange.server/db/schema/orders";
import { payments } from "~/exchange.server/db/schema/payments";
import { scanChain } from "~/exchange.server/deposits/scan";
import { newId } from "~/exchange.server/ids";
import { applyKycDecision } from "~/exchange.server/kyc/apply-decision";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { external, getBalance, heldFor, post, treasury } from "~/exchange.server/ledger/ledger";
import { readLiquidity } from "~/exchange.server/orders/liquidity";
import { lockQuote } from "~/exchange.server/orders/locking/lock-quote";
import { lockOrderRow } from "~/exchange.server/orders/transition";
import { createQuote, insertOffer } from "~/exchange.server/pricing/quotes";
import { deferred } from "../../support/deferred";
import { createOrdersHarness, type OrdersHarness, type User } from "../../support/orders-harness";
import { createTestPostgres, untilBlocked } from "../../support/postgres";

/** Up to 200 parallel requests on real PostgreSQL, over two pools like two processes. */
describe("races on PostgreSQL", () => {
  let database: OpenDatabase;
  let second: OpenDatabase;
  let w: OrdersHarness;
  beforeAll(async () => {
    const url = await createTestPostgres();
    database = await openPostgres(url, { poolSize: 20 });
    second = await openPostgres(url, { poolSize: 20 });
    w = await createOrdersHarness(database);
  });
  // On a busy machine a race may last longer than the half minute for which a chain check is valid.
  beforeEach(() => w.tick());
  afterAll(async () => {
    expect(await checkBooks(database.db)).toEqual([]);
    await database.close();
    await second.close();
  });

  const request = (user: User) => ({
    delivery_address_id: user.own.MOB.id,
    refund_address_id: user.own.ETH.id,
  });
  const quoteFor = (accountId: string, amount = "100") =>
    createQuote(w.ctx, accountId, { source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: amount });
  const contexts = () => [w.ctx, { ...w.ctx, db: second.db }];
  const both = (i: number) => contexts()[i % 2] ?? w.ctx;

  it("T37 creates one order and one reserve for a quote locked 200 times in parallel", async () => {
    const user = await w.createUser();
    const quote = await quoteFor(user.accountId);
    const before = await getBalance(w.ctx.db, "MOB", treasury);
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, i) =>
        lockQuote(both(i), { owner: user, quoteId: quote.id, request: request(user), idempotencyKey: newId() }),
      ),
    );
    expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(1);
    for (const r of results) if (r.status === "rejected") expect(r.reason).toMatchObject({ code: "quote_locked" });
    expect(await w.ctx.db.select().from(orders).where(eq(orders.quoteId, quote.id))).toHaveLength(1);
    const reserved = before - (await getBalance(w.ctx.db, "MOB", treasury));
    expect(reserved).toBeGreaterThan(quote.targetAmount);
    expect(reserved).toBeLessThan((quote.targetAmount * 103n) / 100n);
  });

  it("T39 creates one order for an Idempotency-Key used 200 times in parallel, and every success returns it", async () => {
    const user = await w.createUser();
    const quote = await quoteFor(user.accountId);
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, i) =>
        lockQuote(both(i), { owner: user, quoteId: quote.id, request: request(user), idempotencyKey: "the-same-key" }),
      ),
    );
    const successes = results.flatMap((r) => (r.status === "fulfilled" ? [r.value] : []));
    expect(successes.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(successes.map(({ order }) => order.id)).size).toBe(1);
    for (const r of results) {
      if (r.status === "rejected") expect(["idempotency_in_flight", "quote_locked"]).toContain(r.reason.code);
    }
    await expect(
      lockQuote(w.ctx, {
        owner: user,
        quoteId: quote.id,
        request: { ...request(user), refund_address_id: "another" },
        idempotencyKey: "the-same-key",
      }),
    ).rejects.toMatchObject({ code: "idempotency_key_reused" });
  });

  it("T43 allows at most 5 orders awaiting a deposit, however many are locked in parallel", async () => {
    const user = await w.createUser();
    const quotes = await Promise.all(Array.from({ length: 20 }, () => quoteFor(user.accountId)));
    const results = await Promise.allSettled(
      quotes.map((quote, i) =>
        lockQuote(both(i), { owner: user, quoteId: quote.id, request: request(user), idempotencyKey: newId() }),
      ),
    );
    expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(5);
    for (const r of results) if (r.status === "rejected") expect(r.reason).toMatchObject({ code: "too_many_orders" });
  });

  it("T43 T60 never reserves more than the wallet holds, however many lock in parallel", async () => {
    w.mob.faults.spendable = 0n;
    const users = await Promise.all(Array.from({ length: 10 }, () => w.createUser()));
    const { obligations: reserve } = await readLiquidity(w.ctx.db, "MOB", "");
    w.mob.faults.spendable = reserve + 1_000n * 10n ** 12n;
    await w.tick();
    const quotes = await Promise.all(users.map((u) => quoteFor(u.accountId)));
    const results = await Promise.allSettled(
      users.map((u, i) =>
        lockQuote(both(i), {
          owner: u,
          quoteId: quotes[i]?.id ?? 0,
          request: request(u),
          idempotencyKey: newId(),
        }),
      ),
    );
    // 100 USDT reserve about 290 MOB: three fit into 1,000.
    expect(results.filter((r) => r.status === "fulfilled")).toHaveLength(3);
    for (const r of results) if (r.status === "rejected") expect(r.reason).toMatchObject({ code: "liquidity" });
    w.mob.faults.spendable = 10n ** 18n;
    await w.tick();
  });

  it("T51 credits transfers once even if many workers scan them in parallel", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 100_000_000n);
    w.usdt.mine(3);
    await Promise.all(Array.from({ length: 20 }, (_, i) => scanChain(both(i), "USDT")));
    await w.settle();
    expect(await w.ctx.db.select().from(deposits).where(eq(deposits.orderId, order.id))).toHaveLength(1);
    expect((await w.see(user, order.id)).status).toBe("completed");
  });

  it("T54 carries out one decision, once, if a refund and an acceptance are each requested 50 times in parallel", async () => {
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
    const rows = await w.ctx.db.select().from(payments).where(eq(payments.orderId, order.id));
    expect(rows).toHaveLength(1);
    expect(["completed", "refunded"]).toContain((await w.see(user, order.id)).status);
  });

  it("does not deadlock when a payment is booked at the same time as a deposit and its swap", async () => {
    const entry = (from: string, to: string, kind: "deposit" | "swap_in" | "network_fee") => ({
      transfers: [{ asset: "MOB" as const, from, to, amount: 7n, kind }],
      orderId: null,
      at: new Date(),
    });
    let paid: Promise<unknown> | undefined;
    await w.ctx.db.transaction(async (tx) => {
      await post(tx, entry(external, heldFor("somebody"), "deposit"));
      paid = second.db.transaction((other) => post(other, entry(treasury, external, "network_fee")));
      await untilBlocked(w.ctx.db);
      await post(tx, entry(heldFor("somebody"), treasury, "swap_in"));
    });
    await paid;
  });

  it("puts an order on hold if the identity is rejected while the order is being changed", async () => {
    const user = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    w.usdt.deposit(order.fundingAddress, 60_000_000n);
    await w.settle();
    const application = newId();
    const now = new Date();
    await w.ctx.db.insert(kycApplications).values({
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
    await w.ctx.db.transaction(async (tx) => {
      const { sourceAsset: source, targetAsset: target, ...price } = await lockOrderRow(tx, order.id);
      const decision = { status: "rejected" as const, reasons: [], decidedAt: now };
      withdrawn = applyKycDecision({ ...w.ctx, db: second.db }, application, decision);
      await untilBlocked(w.ctx.db);
      await insertOffer(tx, w.ctx, {
        accountId: user.accountId,
        source,
        target,
        price,
        payoutCost: 0n,
        offerForOrderId: order.id,
      });
    });
    expect(await withdrawn).toBe(true);
    expect((await w.see(user, order.id)).status).toBe("on_hold");
  });

  it("T35 hides quotes and orders from other accounts", async () => {
    const user = await w.createUser();
    const other = await w.createUser();
    const order = await w.lock(user, "USDT", "100");
    await expect(w.see(other, order.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(w.decide(other, order.id, { choice: "refund" })).rejects.toMatchObject({ code: "not_found" });
    const quote = await quoteFor(user.accountId);
    await expect(
      lockQuote(w.ctx, { owner: other, quoteId: quote.id, request: request(other), idempotencyKey: newId() }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("T43 counts what a late deposit adds to our obligations while a lock waits for the treasury", async () => {
    const owner = await w.createUser();
    const late = await w.lock(owner, "USDT", "100");
    w.wait(40 * 60_000);
    await w.refreshRate();
    await w.tick();
    expect((await w.see(owner, late.id)).status).toBe("expired");
    const user = await w.createUser();
    const quote = await w.quote(user, "MOB", "300");
    const { spendable } = w.usdt.faults;
    // Enough for the reserve of the lock, or for a refund of the late deposit.
    w.usdt.faults.spendable = (await readLiquidity(w.ctx.db, "USDT", user.accountId)).obligations + 130_000_000n;
    await w.tick();
    const [held, released] = [deferred(), deferred()];
    const blocker = second.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from ledger_accounts where asset = 'USDT' and code = 'treasury' for update`);
      held.resolve();
      await released.promise;
    });
    await Promise.race([held.promise, blocker]);
    const attempt = w.lockQuote(user, quote.id, "MOB", newId());
    attempt.catch(() => undefined);
    try {
      await untilBlocked(w.ctx.db);
      w.usdt.deposit(late.fundingAddress, 100_000_000n);
      w.usdt.mine(3);
      await w.scan("USDT");
      expect((await w.see(owner, late.id)).status).toBe("needs_decision");
    } finally {
      released.resolve();
      await blocker;
    }
    await expect(attempt).rejects.toMatchObject({ code: "liquidity" });
    w.usdt.faults.spendable = spendable;
    await w.tick();
  });

  it("T38 refuses a lock that waited until the quote had expired", async () => {
    const user = await w.createUser();
    const quote = await quoteFor(user.accountId);
    const locked = deferred();
    const released = deferred();
    const blocker = second.db.transaction(async (tx) => {
      await tx.select().from(accounts).where(eq(accounts.id, user.accountId)).for("update");
      locked.resolve();
      await released.promise;
    });
    await Promise.race([locked.promise, blocker]);
    const attempt = lockQuote(w.ctx, {
      owner: user,
      quoteId: quote.id,
      request: request(user),
      idempotencyKey: newId(),
    });
    attempt.catch(() => undefined);
    try {
      await untilBlocked(w.ctx.db);
      w.wait(61_000);
    } finally {
      released.resolve();
      await blocker;
    }
    await expect(attempt).rejects.toMatchObject({ code: "quote_expired" });
  });
});
