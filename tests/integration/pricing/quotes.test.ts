import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { QuoteRequest } from "~/api/contract";
import type { ExchangeContext } from "~/exchange.server/context";
import { type QuoteRow, type quotes, quotes as quotesTable } from "~/exchange.server/db/schema/quotes";
import { ratePoints } from "~/exchange.server/db/schema/rates";
import { newQuoteId } from "~/exchange.server/ids";
import { insertQuoteIf } from "~/exchange.server/pricing/insert-quote";
import { getMarket } from "~/exchange.server/pricing/market";
import {
  closeQuote,
  createQuote,
  deleteOffer,
  expireQuotes,
  getActiveQuote,
  getOwnQuote,
  insertOffer,
  purgeQuotes,
  selectOverdueQuotes,
  toQuote,
  toQuoteLockStatement,
} from "~/exchange.server/pricing/quotes";
import { requireSinglePayment } from "~/exchange.server/pricing/require-price";
import { forAllTests } from "../../support/for-tests";
import { type OrdersHarness, openOrders, type User } from "../../support/orders-harness";

const usdtToMob = { source_asset_symbol: "USDT", target_asset_symbol: "MOB" } as const;
const byId = (a: QuoteRow, b: QuoteRow) => a.id - b.id;
const mobToUsdt = { source_asset_symbol: "MOB", target_asset_symbol: "USDT" } as const;

describe("quotes", () => {
  const w = forAllTests(() => openOrders("PostgreSQL", { config: { rateMaxAgeMs: 3_600_000 } }));
  let user: User;
  beforeAll(async () => {
    user = await w.createUser();
  });

  const ask = (request: QuoteRequest) => createQuote(w.ctx, user.accountId, request);
  const refusalOf = (request: QuoteRequest) => ask(request).catch((error: unknown) => error);
  const now = () => w.ctx.clock.now(w.ctx.db);
  const read = async (id: number) => {
    const [row] = await w.ctx.db.select().from(quotesTable).where(eq(quotesTable.id, id));
    return row as QuoteRow;
  };

  /** A row as it might be in the table, made a moment before now. */
  async function insert(owner: User, changes: Partial<typeof quotes.$inferInsert>, agoMs = 1_000): Promise<QuoteRow> {
    const at = new Date((await now()).getTime() - agoMs);
    const values = {
      id: newQuoteId(),
      accountId: owner.accountId,
      status: "open" as const,
      sourceAsset: "USDT" as const,
      targetAsset: "MOB" as const,
      sourceAmount: 100_000_000n,
      targetAmount: 284_000_000_000_000n,
      feeAmount: 500_000n,
      rate: 2_857_142_857_142n,
      expiresAt: new Date(at.getTime() + 60_000),
      createdAt: at,
      updatedAt: at,
      ...changes,
    };
    const [row] = await w.ctx.db.insert(quotesTable).values(values).returning();
    return row as QuoteRow;
  }

  it("T44 have the amounts, the fee, the expected cost of the payout and the time they stay open", async () => {
    const row = await ask({ ...usdtToMob, source_amount: "100" });
    expect(row).toMatchObject({
      accountId: user.accountId,
      status: "open",
      sourceAsset: "USDT",
      targetAsset: "MOB",
      sourceAmount: 100_000_000n,
      feeAmount: 500_000n,
      rate: 2_857_142_857_142n,
      targetAmount: 284_285_714_285_629n,
      payoutCost: w.ctx.config.payoutCost.MOB,
      offerForOrderId: null,
      lockedAt: null,
      updatedAt: row.createdAt,
    });
    expect(row.expiresAt.getTime() - row.createdAt.getTime()).toBe(w.ctx.config.quoteTtlMs);
    expect(await read(row.id)).toEqual(row);
    expect(toQuote(row, row.createdAt)).toEqual({
      id: row.id,
      status: "open",
      source_asset_symbol: "USDT",
      target_asset_symbol: "MOB",
      source_amount: "100",
      target_amount: "284.285714285629",
      fee_amount: "0.5",
      fee_asset_symbol: "USDT",
      exchange_rate: "2.857142857142",
      expires_at: row.expiresAt.toISOString(),
      locked_at: null,
      created_at: row.createdAt.toISOString(),
      updated_at: row.createdAt.toISOString(),
    });
  });

  it("are deleted 30 days after they expired, if they were never locked and are not offers", async () => {
    const day = 86_400_000;
    const insertExpired = (days: number, changes: Partial<typeof quotes.$inferInsert> = {}) =>
      insert(user, { status: "expired", expiresAt: new Date(Date.now() - days * day), ...changes }, days * day);
    const old = await insertExpired(31);
    const kept = [
      await insertExpired(29),
      await insertExpired(31, { lockedAt: new Date() }),
      await insertExpired(31, { offerForOrderId: "an order" }),
      await insertExpired(31, { status: "used" }),
    ];
    await purgeQuotes(w.ctx.db, await now());
    expect(await read(old.id)).toBeUndefined();
    for (const row of kept) expect(await read(row.id)).toEqual(row);
    await w.ctx.db.delete(quotesTable);
  });

  it("give the target amount that was requested", async () => {
    const row = await ask({ ...mobToUsdt, target_amount: "35" });
    expect(row).toMatchObject({ sourceAsset: "MOB", targetAsset: "USDT", targetAmount: 35_000_000n });
    expect(row.payoutCost).toBe(w.ctx.config.payoutCost.USDT);
    expect(row.sourceAmount).toBeGreaterThan(100_000_000_000_000n);
  });

  it.each([
    [{ ...usdtToMob, source_amount: "0" }, "source_amount", "Enter an amount above zero."],
    [{ ...usdtToMob, target_amount: "0.0" }, "target_amount", "Enter an amount above zero."],
    [{ ...usdtToMob, source_amount: "1.0000001" }, "source_amount", "Enter at most 6 digits after the point."],
    [{ ...usdtToMob, target_amount: "1.0000000000001" }, "target_amount", "Enter an amount such as 250 or 250.5."],
    [{ ...mobToUsdt, target_amount: "1.0000001" }, "target_amount", "Enter at most 6 digits after the point."],
    [usdtToMob, "target_amount", "Enter an amount such as 250 or 250.5."],
  ])("refuse %j and name the field", async (request, field, message) => {
    expect(await refusalOf(request)).toMatchObject({
      code: "amount_invalid",
      message,
      fields: { [field]: message },
    });
  });

  it("refuse amounts outside the limits, and below the fee", async () => {
    expect(await refusalOf({ ...usdtToMob, source_amount: "9.99" })).toMatchObject({ code: "amount_too_small" });
    expect(await refusalOf({ ...usdtToMob, source_amount: "10000.01" })).toMatchObject({ code: "amount_too_large" });
    expect(await refusalOf({ ...mobToUsdt, source_amount: "0.000001" })).toMatchObject({ code: "amount_too_small" });
  });

  it("refuse more than a single payment of the wallet can send", async () => {
    const request = { ...usdtToMob, source_amount: "100" };
    const { targetAmount } = await ask(request);
    w.mob.faults.maxPayment = targetAmount;
    await w.tick();
    expect((await ask(request)).targetAmount).toBe(targetAmount);
    w.mob.faults.maxPayment = targetAmount - 1n;
    await w.tick();
    expect(await refusalOf(request)).toMatchObject({ code: "liquidity", retryAfterSeconds: 60 });
    w.mob.faults.maxPayment = null;
    await w.tick();
    // The refusal was based on the market as it was a moment ago, and ended when the market changed.
    expect((await ask(request)).targetAmount).toBe(targetAmount);
  });

  it("T44 use the current market if it has changed since it was read", async () => {
    const before = await ask({ ...mobToUsdt, source_amount: "100" });
    await w.setRate(360_000_000_000n);
    const after = await ask({ ...mobToUsdt, source_amount: "100" });
    await w.setRate(350_000_000_000n);
    expect([before.rate, after.rate]).toEqual([350_000_000_000n, 360_000_000_000n]);
  });

  it("are separate for each request", async () => {
    const owner = await w.createUser();
    const request = { ...usdtToMob, source_amount: "100" };
    // The first has to read the market, and the second already has it.
    const made = [
      await createQuote(w.ctx, owner.accountId, request),
      await createQuote(w.ctx, owner.accountId, request),
    ];
    const rows = await w.ctx.db.select().from(quotesTable).where(eq(quotesTable.accountId, owner.accountId));
    expect(rows.sort(byId)).toEqual(made.sort(byId));
  });

  it("are inserted or refused one by one, whatever happens to others in the same batch", async () => {
    const largest = { id: Number.MAX_SAFE_INTEGER, sourceAmount: 10n ** 38n - 1n, targetAmount: 10n ** 37n + 1n };
    const first = await insert(user, {
      ...largest,
      payoutCost: 5n,
      lockedAt: await now(),
      offerForOrderId: "an order",
    });
    const [second, third] = [await insert(user, {}), await insert(user, {})];
    await w.ctx.db.delete(quotesTable).where(eq(quotesTable.accountId, user.accountId));
    const { stamp } = await getMarket(w.ctx);
    const insertions = [
      { quote: first, stamp },
      { quote: { ...second, id: newQuoteId(), targetAmount: 0n }, stamp },
      { quote: second, stamp: "of another market" },
      { quote: third, stamp },
    ];
    const results = await Promise.allSettled(insertions.map((insertion) => insertQuoteIf(w.ctx.db, insertion)));
    expect(results).toMatchObject([
      { status: "fulfilled", value: true },
      { status: "rejected", reason: { cause: { constraint: "quotes_amounts_positive" } } },
      { status: "fulfilled", value: false },
      { status: "fulfilled", value: true },
    ]);
    const stored = await w.ctx.db.select().from(quotesTable).where(eq(quotesTable.accountId, user.accountId));
    expect(stored.sort(byId)).toEqual([first, third].sort(byId));
  });

  it("T44 are abandoned after five attempts if the market changes each time", async () => {
    let attempts = 0;
    const changing: ExchangeContext = {
      ...w.ctx,
      clock: {
        now: async (db) => {
          attempts += 1;
          await w.setRate(350_000_000_000n);
          return w.ctx.clock.now(db);
        },
      },
    };
    await expect(createQuote(changing, user.accountId, { ...usdtToMob, source_amount: "100" })).rejects.toMatchObject({
      code: "rate_unknown",
      retryAfterSeconds: 1,
    });
    expect(attempts).toBe(5);
  });

  it("are not tried again after a failure that is not a refusal", async () => {
    const clock = { now: vi.fn(w.ctx.clock.now).mockRejectedValueOnce(new Error("no connection")) };
    const request = { ...usdtToMob, source_amount: "100" };
    await expect(createQuote({ ...w.ctx, clock }, user.accountId, request)).rejects.toThrow("no connection");
  });

  it("use the rate itself if no prices are stored with it, and are refused if there is no rate", async () => {
    const { db } = w.ctx;
    await db.delete(ratePoints);
    const request = { ...mobToUsdt, source_amount: "100" };
    expect(await refusalOf(request)).toMatchObject({ code: "rate_unknown", retryAfterSeconds: 15 });
    await db.insert(ratePoints).values({ rate: 340_000_000_000n, at: await now() });
    expect((await ask(request)).rate).toBe(340_000_000_000n);
    await db.delete(ratePoints);
    await w.refreshRate();
  });

  it("are refused without a recent rate", async () => {
    const other = createOrdersContextWithOldRate(w);
    const refused = await createQuote(other, user.accountId, { ...usdtToMob, source_amount: "100" }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({ code: "rate_unknown", retryAfterSeconds: 15 });
  });

  it("are not found by another account", async () => {
    const row = await ask({ ...usdtToMob, source_amount: "100" });
    const stranger = await w.createUser();
    const { db } = w.ctx;
    expect(await getOwnQuote(db, user.accountId, row.id)).toEqual(row);
    expect(await getOwnQuote(db, user.accountId, row.id, { lock: true })).toEqual(row);
    for (const lock of [false, true]) {
      const notFound = { code: "not_found" };
      await expect(getOwnQuote(db, stranger.accountId, row.id, { lock })).rejects.toMatchObject(notFound);
      await expect(getOwnQuote(db, user.accountId, newQuoteId(), { lock })).rejects.toMatchObject(notFound);
    }
    await expect(getActiveQuote(w.ctx, stranger.accountId)).rejects.toMatchObject({ code: "not_found" });
  });

  it("the active one is the newest open one, otherwise the newest locked one, and never an offer", async () => {
    const owner = await w.createUser();
    const active = async () => (await getActiveQuote(w.ctx, owner.accountId)).id;
    await insert(owner, { status: "used" });
    await insert(owner, { status: "expired" });
    await insert(owner, { offerForOrderId: "order" });
    await insert(owner, { offerForOrderId: "order", status: "locked" });
    await insert(owner, { expiresAt: await now() });
    await expect(active()).rejects.toMatchObject({ code: "not_found" });
    const locked = await insert(owner, { status: "locked" }, 3_000);
    await insert(owner, { status: "locked" }, 4_000);
    expect(await active()).toBe(locked.id);
    const open = await insert(owner, {}, 5_000);
    await insert(owner, {}, 6_000);
    expect(await active()).toBe(open.id);
  });

  it("expire at the end of their time, and are shown as expired from then on", async () => {
    await expireQuotes(w.ctx);
    const owner = await w.createUser();
    const over = await insert(owner, { expiresAt: await now() });
    const open = await insert(owner, { expiresAt: new Date((await now()).getTime() + 600_000) });
    const locked = await insert(owner, { status: "locked", expiresAt: new Date(0) });
    expect(toQuote(over, over.expiresAt).status).toBe("expired");
    expect(toQuote(over, new Date(over.expiresAt.getTime() - 1)).status).toBe("open");
    expect(toQuote(locked, await now()).status).toBe("locked");
    expect(await selectOverdueQuotes(w.ctx.db, await now())).toEqual([{ id: over.id }]);
    expect(await expireQuotes(w.ctx)).toBe(1);
    const rows = await Promise.all([over, open, locked].map(({ id }) => read(id)));
    expect(rows.map(({ status }) => status)).toEqual(["expired", "open", "locked"]);
    expect(rows[0]?.updatedAt.getTime()).toBeGreaterThan(over.updatedAt.getTime());
    expect(await expireQuotes(w.ctx)).toBe(0);
  });

  it("T61 expire if they seem to be from the future, because the database's clock was corrected", async () => {
    const owner = await w.createUser();
    const madeInMs = async (ms: number) => {
      const { id } = await insert(owner, { expiresAt: new Date((await now()).getTime() + 3_600_000) }, -ms);
      return id;
    };
    const [ahead, open] = [await madeInMs(11_000), await madeInMs(9_000)];
    await expireQuotes(w.ctx);
    expect([(await read(ahead)).status, (await read(open)).status]).toEqual(["expired", "open"]);
  });

  it("are locked once, with the time of the lock and the end of the time to pay", async () => {
    const { db } = w.ctx;
    const { id } = await insert(user, {});
    const { id: other } = await insert(user, {});
    const at = await now();
    const end = new Date(at.getTime() + 1_800_000);
    expect(await toQuoteLockStatement(db, id, at, end)).toEqual([{ id }]);
    const row = await read(id);
    expect(row).toMatchObject({ status: "locked", lockedAt: at, expiresAt: end, updatedAt: at });
    expect(toQuote(row, at).locked_at).toBe(at.toISOString());
    expect(await toQuoteLockStatement(db, id, at, end)).toEqual([]);
    expect((await read(other)).status).toBe("open");
  });

  it.each([
    ["used", "open", "used"],
    ["used", "locked", "used"],
    ["used", "expired", "used"],
    ["expired", "locked", "expired"],
    ["expired", "open", "open"],
    ["expired", "used", "used"],
  ] as const)("are closed as %s only if their status allows it: %s becomes %s", async (as, before, after) => {
    const { id } = await insert(user, { status: before });
    const { id: other } = await insert(user, { status: before });
    const at = await now();
    await closeQuote(w.ctx.db, id, as, at);
    const row = await read(id);
    expect([row.status, row.updatedAt.getTime() === at.getTime()]).toEqual([after, before !== after || as === before]);
    expect((await read(other)).status).toBe(before);
  });

  it("can be offers for an order", async () => {
    const made = await insertOffer(w.ctx.db, w.ctx, {
      accountId: user.accountId,
      source: "USDT",
      target: "MOB",
      price: { sourceAmount: 100n, targetAmount: 250n, feeAmount: 1n, rate: 2n },
      payoutCost: 7n,
      offerForOrderId: "one",
    });
    expect(made).toMatchObject({ status: "open", offerForOrderId: "one", sourceAmount: 100n, payoutCost: 7n });
    expect(made.expiresAt.getTime() - made.createdAt.getTime()).toBe(w.ctx.config.quoteTtlMs);
  });

  it("are deleted if they are offers that ended, unless they were accepted", async () => {
    const left: string[] = [];
    for (const status of ["open", "expired", "used"] as const) {
      const { id } = await insert(user, { offerForOrderId: "one", status });
      await deleteOffer(w.ctx.db, id);
      if ((await read(id)) !== undefined) left.push(status);
    }
    expect(left).toEqual(["used"]);
  });

  it("need a wallet that can send the amount in one payment", () => {
    const refusal = { code: "liquidity", retryAfterSeconds: 60 };
    expect(() => requireSinglePayment(10n ** 30n, null)).not.toThrow();
    expect(() => requireSinglePayment(100n, 100n)).not.toThrow();
    expect(() => requireSinglePayment(101n, 100n)).toThrow(expect.objectContaining(refusal));
  });
});

/** The same exchange with rates that are never recent enough. */
function createOrdersContextWithOldRate(w: OrdersHarness) {
  return { ...w.ctx, config: { ...w.ctx.config, rateMaxAgeMs: -3_600_000 } };
}
