import { asc, gte, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Rates } from "~/api/contract";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { ratePoints } from "~/exchange.server/db/schema/rates";
import { getMarket, readMarket } from "~/exchange.server/pricing/market";
import {
  createRateHistories,
  getLatestRate,
  getRateHistory,
  purgeOldRates,
  refreshRate,
  requireRate,
  requireRecent,
} from "~/exchange.server/pricing/rates";
import { getOffReason } from "~/exchange.server/switches/switches";
import { createTestContext } from "../../support/context";
import { createTestExchange } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";

const at = new Date("2026-06-01T12:00:00Z");
const rate = 350_000_000_000n;
const ago = (ms: number) => new Date(at.getTime() - ms);
const dayMs = 86_400_000;

describe("the rates", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase("PostgreSQL");
  });
  afterAll(() => database?.close());
  beforeEach(() => database.db.delete(ratePoints));

  const open = (feed: { rate: bigint; low?: bigint; high?: bigint } = { rate }) =>
    createTestContext(database, {
      config: { rateCalmBps: 100, rateVolatilityWindowMs: 600_000, rateMaxAgeMs: 60_000 },
      rateSource: { getRate: async () => ({ at, ...feed }) },
    }).ctx;
  const insert = (...points: (typeof ratePoints.$inferInsert)[]) => database.db.insert(ratePoints).values(points);

  it("are null before the first", async () => {
    expect(await getLatestRate(database.db)).toBeNull();
    await expect(requireRate(database.db, open())).rejects.toMatchObject({
      code: "rate_unknown",
      retryAfterSeconds: 15,
    });
  });

  it("include the one stored last, with both prices", async () => {
    await insert({ rate: 1n, at: ago(2_000) }, { rate: 9n, at: ago(1_000) }, { rate: 3n, bid: 2n, ask: 4n, at });
    expect(await getLatestRate(database.db)).toEqual({ rate: 3n, bid: 2n, ask: 4n, at });
    await insert({ rate: 5n, at });
    expect(await getLatestRate(database.db)).toEqual({ rate: 5n, bid: 5n, ask: 5n, at });
  });

  it("T44 use the rate that was stored last, even if its feed reports an earlier time", async () => {
    const stored = { rate, low: rate, high: rate + 1_000_000_000n };
    const moved = { rate: rate + 1_000_000_000n, low: rate + 1_000_000_000n, high: rate + 8_000_000_000n };
    const sources = [
      { at, ...stored },
      { at: ago(20_000), ...moved },
    ];
    for (const source of sources) {
      await refreshRate(createTestContext(database, { rateSource: { getRate: async () => source } }).ctx);
    }
    const latest = await getLatestRate(database.db);
    expect(latest).toMatchObject({ rate: moved.rate, at: ago(20_000) });
    expect(latest?.ask).toBeGreaterThanOrEqual(moved.high);
    expect((await readMarket(database.db)).rate).toMatchObject({ rate: moved.rate });
  });

  it("T44 can be used for quotes up to their maximum age, but not after it", () => {
    const ctx = open();
    const recent = { rate, at: ago(60_000) };
    expect(requireRecent(ctx, recent, at)).toBe(recent);
    for (const old of [{ rate, at: ago(60_001) }, null])
      expect(() => requireRecent(ctx, old, at)).toThrow(expect.objectContaining({ code: "rate_unknown" }));
  });

  it("T44 T61 do not last longer while the database's clock is behind", async () => {
    const rateSource = { getRate: async () => ({ rate, at: new Date() }) };
    const { ctx, advance } = createTestContext(database, { rateSource, config: { rateMaxAgeMs: 60_000 } });
    advance(-5 * 60_000);
    await refreshRate(ctx);
    expect(await requireRate(database.db, ctx)).toMatchObject({ rate });
    advance(61_000);
    await expect(requireRate(database.db, ctx)).rejects.toMatchObject({ code: "rate_unknown" });
  });

  it("T44 have a wider spread after a movement within the window, and not after an earlier one", async () => {
    await insert({ rate: 300_000_000_000n, at: ago(600_002) }, { rate, at: ago(600_001) });
    await refreshRate(open());
    expect(await getLatestRate(database.db)).toEqual({ rate, bid: rate, ask: rate, at });
    await database.db.delete(ratePoints);
    await insert({ rate: 300_000_000_000n, at: ago(600_000) });
    await refreshRate(open());
    // It rose by 1666 basis points, 1566 more than calm: the bid falls and the ask rises by half of that.
    expect(await getLatestRate(database.db)).toEqual({ rate, bid: 322_595_000_000n, ask: 377_405_000_000n, at });
  });

  it.each([3_600_000, 3_600_001, 30 * dayMs])(
    "T44 have a wider spread after a movement during a gap of %i ms",
    async (gapMs) => {
      await insert({ rate: 1n, at: ago(gapMs + 1) }, { rate: 300_000_000_000n, at: ago(gapMs) });
      await refreshRate(open());
      expect(await getLatestRate(database.db)).toEqual({ rate, bid: 322_595_000_000n, ask: 377_405_000_000n, at });
    },
  );

  it.each([
    { what: "rises", before: [300_000_000_000n], percent: "16.66" },
    { what: "falls", before: [400_000_000_000n], percent: "14.28" },
    { what: "has moved slowly", before: [310_000_000_000n, 330_000_000_000n, 345_000_000_000n], percent: "12.9" },
  ])("T44 stop new swaps, but only once, if the rate $what by too much within an hour", async ({ before, percent }) => {
    const minute = 60_000;
    await insert(...before.map((earlier, k) => ({ rate: earlier, at: ago((59 - k) * minute) })));
    const { ctx } = createTestContext(database, {
      config: { rateMaxMoveBps: 1_250 },
      rateSource: { getRate: async () => ({ rate, at }) },
    });
    await refreshRate(ctx);
    expect(await getOffReason(database.db, "swaps")).toBe(
      `The rate moved by ${percent}% within an hour. Once the rate is right, run "operate on swaps".`,
    );
    expect(await getLatestRate(database.db)).toMatchObject({ rate });
    await switchOn(database.db, "swaps");
    await refreshRate(ctx);
    expect(await getOffReason(database.db, "swaps")).toBeNull();
  });

  it("T44 stop new swaps, but only once, if the rate moved by too much while there was none for more than an hour", async () => {
    await insert({ rate, at: ago(2 * dayMs) }, { rate: 300_000_000_000n, at: ago(3_600_001) });
    const { ctx } = createTestContext(database, {
      config: { rateMaxMoveBps: 1_250 },
      rateSource: { getRate: async () => ({ rate, at }) },
    });
    await refreshRate(ctx);
    expect(await getOffReason(database.db, "swaps")).toBe(
      'The rate moved by 16.66% since 2026-06-01T10:59:59.999Z, the last time it was known. Once the rate is right, run "operate on swaps".',
    );
    await switchOn(database.db, "swaps");
    await refreshRate(ctx);
    expect(await getOffReason(database.db, "swaps")).toBeNull();
  });

  it("T44 stop new swaps again if the rate jumps again within the hour", async () => {
    let next = { rate: 300_000_000_000n, at: ago(50 * 60_000) };
    const { ctx } = createTestContext(database, {
      config: { rateMaxMoveBps: 2_000 },
      rateSource: { getRate: async () => next },
    });
    const isStoppedAt = async (given: bigint, minutesAgo: number) => {
      next = { rate: given, at: ago(minutesAgo * 60_000) };
      await refreshRate(ctx);
      const reason = await getOffReason(database.db, "swaps");
      await switchOn(database.db, "swaps");
      return reason !== null;
    };
    expect(await isStoppedAt(300_000_000_000n, 40)).toBe(false);
    expect(await isStoppedAt(363_000_000_000n, 30)).toBe(true);
    expect(await isStoppedAt(380_000_000_000n, 20)).toBe(false);
    expect(await isStoppedAt(900_000_000_000n, 10)).toBe(true);
    expect(await isStoppedAt(363_000_000_000n, 5)).toBe(true);
  });

  it("T44 do not stop swaps for a movement that is accepted, or that took longer than an hour", async () => {
    const source = { rateSource: { getRate: async () => ({ rate, at }) } };
    for (const [points, rateMaxMoveBps] of [
      [[{ rate: 300_000_000_000n, at: ago(3_600_000) }], 1_666],
      [
        [
          { rate: 300_000_000_000n, at: ago(3_600_001) },
          { rate, at: ago(3_600_000) },
        ],
        1,
      ],
      [[{ rate: 300_000_000_000n, at: ago(1_000) }], null],
      [[], 1],
    ] as const) {
      await database.db.delete(ratePoints);
      if (points.length > 0) await insert(...points);
      await refreshRate(createTestContext(database, { config: { rateMaxMoveBps }, ...source }).ctx);
      expect(await getOffReason(database.db, "swaps")).toBeNull();
    }
  });

  it("T44 keep the lowest and the highest feed apart", async () => {
    await refreshRate(open({ rate, low: rate - 10n, high: rate + 10n }));
    expect(await getLatestRate(database.db)).toEqual({ rate, bid: rate - 10n, ask: rate + 10n, at });
  });

  it("are kept for 31 days", async () => {
    await insert({ rate: 1n, at: ago(31 * dayMs + 1) }, { rate: 2n, at: ago(31 * dayMs) });
    await purgeOldRates(open(), at);
    const rows = await database.db.select().from(ratePoints).orderBy(asc(ratePoints.at));
    expect(rows.map((row) => row.rate)).toEqual([2n]);
  });

  it("T44 keep the newest rate at any age, so that the first one after a long gap is compared with it", async () => {
    await insert({ rate: 1n, at: ago(41 * dayMs) }, { rate: 2n, at: ago(40 * dayMs) });
    await purgeOldRates(open(), at);
    expect(await getLatestRate(database.db)).toMatchObject({ rate: 2n });
    expect(await database.db.$count(ratePoints)).toBe(1);
  });

  it("are thinned to one an hour after 25 hours, in batches, and every chart stays the same", async () => {
    const perDay = 4_320;
    // Every 20 seconds for 30 days, and not at full minutes.
    await database.db.execute(sql`
      insert into rate_points (rate, at)
      select n, ${ago(7_000).toISOString()}::timestamptz - make_interval(secs => n * 20) from generate_series(0, ${30 * perDay}) n`);
    const read = () =>
      Promise.all((["1h", "24h", "7d", "30d"] as const).map((range) => getRateHistory(database.db, range, at)));
    const count = () => database.db.$count(ratePoints);
    const charts = await read();
    expect(charts.map((points) => points.length)).toEqual([120, 144, 168, 180]);
    let left = await count();
    for (let runs = 0; runs < 100; runs += 1) {
      await purgeOldRates(open(), at);
      const before = left;
      left = await count();
      expect(before - left).toBeLessThanOrEqual(5_000);
      if (left === before) break;
    }
    expect(await read()).toEqual(charts);
    const dayAndHour = (25 / 24) * perDay;
    expect(left).toBeLessThanOrEqual(dayAndHour + 29 * 24 + 1);
    expect(await database.db.$count(ratePoints, gte(ratePoints.at, ago(25 * 3_600_000)))).toBe(dayAndHour);
  });

  it.each([
    ["1h", 3_600_000, 30_000],
    ["24h", dayMs, 600_000],
    ["7d", 7 * dayMs, 3_600_000],
    ["30d", 30 * dayMs, 14_400_000],
  ] as const)("have one point in each interval of the last %s, oldest first", async (range, spanMs, intervalMs) => {
    await insert(
      { rate: 1n, at: ago(spanMs + 1) },
      { rate: 2n, at: ago(spanMs) },
      { rate: 3n, at: ago(spanMs - intervalMs) },
      { rate: 4n, at: ago(spanMs - intervalMs - 1) },
      { rate: 6n, at: ago(1) },
      { rate: 5n, at: ago(2) },
      { rate: 7n, at },
    );
    expect(await getRateHistory(database.db, range, at)).toEqual([
      { rate: 2n, at: ago(spanMs) },
      { rate: 4n, at: ago(spanMs - intervalMs - 1) },
      { rate: 6n, at: ago(1) },
      { rate: 7n, at },
    ]);
  });

  const listIds = async () =>
    (await database.db.select({ id: ratePoints.id }).from(ratePoints).orderBy(ratePoints.id)).map(({ id }) => id);

  it("are read again for a range once there is a newer one", async () => {
    const read = createRateHistories(database.db);
    expect(await read("1h", at, null)).toEqual([]);
    await insert({ rate: 1n, at });
    expect(await read("1h", at, null)).toEqual([]);
    expect(await read("24h", at, null)).toEqual([{ rate: 1n, at }]);
    const [id = 0] = await listIds();
    expect(await read("1h", at, id)).toEqual([{ rate: 1n, at }]);
    await database.db.delete(ratePoints);
    expect(await read("1h", at, id)).toEqual([{ rate: 1n, at }]);
    expect(await read("1h", at, id + 1)).toEqual([]);
  });

  it("end with the rate that is shown as the current one, even if a newer one has just been stored", async () => {
    await insert({ rate: 1n, at: ago(60_000) }, { rate: 2n, at: ago(2) });
    await insert({ rate: 3n, at: ago(1) });
    const [, current = 0] = await listIds();
    const points = await createRateHistories(database.db)("1h", at, current);
    expect(points.at(-1)).toEqual({ rate: 2n, at: ago(2) });
  });

  it("are read again after a read has failed", async () => {
    let isDown = true;
    const flaky = new Proxy(database.db, {
      get(target, key) {
        if (key === "execute" && isDown) return () => Promise.reject(new Error("no connection"));
        return Reflect.get(target, key, target) as unknown;
      },
    });
    const read = createRateHistories(flaky);
    await expect(read("1h", at, 1)).rejects.toThrow("no connection");
    isDown = false;
    expect(await read("1h", at, 1)).toEqual([]);
  });
});

describe("the published rates", () => {
  const exchange = forAllTests(() =>
    createTestExchange({
      config: { rateMaxAgeMs: 60_000 },
      context: { rateSource: { getRate: async () => ({ rate: next, at: new Date() }) } },
    }),
  );
  let next = rate;
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const read = async (range = "24h") => (await exchange.api<Rates>("GET", `/api/rates?range=${range}`)).body;
  /** How many times the exchange formats for a response. */
  const countFormatted = async () => {
    const toText = vi.spyOn(Date.prototype, "toISOString");
    await read();
    return toText.mock.calls.length;
  };

  it("are formatted again only when they change, or become too old", async () => {
    await exchange.ctx.db
      .insert(ratePoints)
      .values(Array.from({ length: 100 }, (_, hour) => ({ rate, at: new Date(Date.now() - hour * 600_000) })));
    await refreshRate(exchange.ctx);
    const first = await read();
    expect(first.history.length).toBeGreaterThan(90);
    expect(await countFormatted()).toBeLessThan(50);
    expect(await read()).toEqual(first);
    expect((await read("1h")).history.length).toBeLessThan(first.history.length);
    next = 360_000_000_000n;
    await refreshRate(exchange.ctx);
    await getMarket(exchange.ctx);
    expect((await read()).history.at(-1)?.rate).toBe("0.36");
    expect((await read()).rates).not.toBeNull();
    exchange.advance(61_000);
    expect((await read()).rates).toBeNull();
  });
});
