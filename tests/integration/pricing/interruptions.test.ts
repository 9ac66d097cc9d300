import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import type { RunningContext } from "~/exchange.server/context";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { acceptancePeriods } from "~/exchange.server/db/schema/acceptance";
import { chainStates } from "~/exchange.server/db/schema/chains";
import { ratePoints } from "~/exchange.server/db/schema/rates";
import { getInterruptions, recordAcceptance, selectInterrupted } from "~/exchange.server/pricing/interruptions";
import { getMarket } from "~/exchange.server/pricing/market";
import { refreshRate } from "~/exchange.server/pricing/rates";
import { getPauseReason } from "~/exchange.server/pricing/swap-acceptance";
import { switchOff } from "~/exchange.server/switches/switches";
import { createTestContext } from "../../support/context";
import { switchOn } from "../../support/switch-on";
import { openTestDatabase } from "../../support/test-database";

const start = new Date("2026-06-01T12:00:00Z");
const dayMs = 86_400_000;
const isClosed = "ethereum_out_of_reach";

describe("the record of when swaps are accepted", () => {
  let database: OpenDatabase;
  let ctx: RunningContext;
  let now = start;
  beforeAll(async () => {
    database = await openTestDatabase("PostgreSQL");
    const state = { synced: true, checkedAt: start, walletCheckedAt: start };
    await database.db.insert(chainStates).values([
      { asset: "USDT", ...state },
      { asset: "MOB", ...state },
    ]);
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    now = start;
    ctx = openProcess();
    await database.db.delete(acceptancePeriods);
    await database.db.delete(ratePoints);
    await database.db.insert(ratePoints).values({ rate: 350_000_000_000n, at: start });
    await move(0);
  });

  const openProcess = () =>
    createTestContext(database, { clock: { now: async () => now }, config: { rateMaxAgeMs: 600_000 } }).ctx;
  /** Moves the clock, and then has the chains checked, unless they are unreachable. */
  async function move(ms: number, { isOutOfReach = false } = {}): Promise<void> {
    now = new Date(now.getTime() + ms);
    const checkedAt = isOutOfReach ? new Date(0) : now;
    const lastError = isOutOfReach ? "no response" : null;
    const failedAt = isOutOfReach ? now : null;
    await database.db.update(chainStates).set({ checkedAt, walletCheckedAt: checkedAt, lastError, failedAt });
  }
  const later = (ms: number) => new Date(start.getTime() + ms);
  const insert = (...periods: (typeof acceptancePeriods.$inferInsert)[]) =>
    database.db.insert(acceptancePeriods).values(periods);
  const read = async () =>
    (await database.db.select().from(acceptancePeriods).orderBy(asc(acceptancePeriods.id))).map(
      ({ id: _, ...period }) => period,
    );

  it("is written every 20 seconds while nothing changes", async () => {
    const endsAt = async () => {
      await recordAcceptance(ctx);
      const periods = await read();
      expect(periods).toHaveLength(1);
      return periods[0]?.endedAt;
    };
    expect(await endsAt()).toEqual(start);
    for (const written of [20_000, 40_000]) {
      await move(19_999);
      expect(await endsAt()).toEqual(later(written - 20_000));
      await move(1);
      expect(await endsAt()).toEqual(later(written));
    }
  });

  it("is written at once when something changes", async () => {
    await recordAcceptance(ctx);
    await move(1_000, { isOutOfReach: true });
    await recordAcceptance(ctx);
    expect(await read()).toEqual([
      { reason: null, startedAt: start, endedAt: later(1_000) },
      { reason: isClosed, startedAt: later(1_000), endedAt: later(1_000) },
    ]);
  });

  it("does not move backwards when the next process is behind", async () => {
    await recordAcceptance(ctx);
    await move(-1_000);
    await recordAcceptance(openProcess());
    expect(await read()).toEqual([{ reason: null, startedAt: start, endedAt: start }]);
  });

  describe("an outage of ten minutes", () => {
    const block = async (reason: string | null) =>
      database.db.update(chainStates).set({ paymentBlockReason: reason }).where(eq(chainStates.asset, "USDT"));
    /** Runs the job every 40 seconds. */
    const record = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 40_000) {
        await move(40_000);
        await recordAcceptance(ctx);
      }
      return (await listAlerts(database.db)).map(({ subject, reason, action }) => `${subject}: ${reason} ${action}`);
    };
    const refresh = () => database.db.insert(ratePoints).values({ rate: 350_000_000_000n, at: now });

    it("alerts an operator to too little ether, until swaps are accepted again", async () => {
      await recordAcceptance(ctx);
      await block("Our payout wallet does not have enough ether for gas.");
      expect(await record(640_000 - 40_000)).toEqual([]);
      expect(await record(40_000)).toEqual([
        expect.stringMatching(
          /^swaps: New swaps have been refused since 2026-06-01T12:00:40.000Z, and will be accepted again automatically. USDT cannot be paid: Our payout wallet does not have enough ether for gas. If ether is missing/,
        ),
      ]);
      await block(null);
      await refresh();
      expect(await record(40_000)).toEqual([]);
    });

    it("alerts an operator to feeds that disagree, until there is a rate again", async () => {
      await database.db.delete(ratePoints);
      const getRate = ctx.rateSource.getRate;
      ctx.rateSource.getRate = async () => {
        throw new Error("The rate feeds disagree\n\nURL: https://feed.example/v2/a-key");
      };
      await expect(refreshRate(ctx)).rejects.toThrow();
      expect(await record(680_000)).toEqual([
        expect.stringContaining("There is no recent rate (The rate feeds disagree). Check the feeds in RATE_SOURCES."),
      ]);
      ctx.rateSource.getRate = getRate;
      await refreshRate(ctx);
      await refresh();
      expect(await record(40_000)).toEqual([]);
    });

    it("doesn't alert anyone while only a switch stops swaps, and does not count that time", async () => {
      await switchOff(database.db, "swaps", { reason: "Maintenance.", at: now });
      expect(await record(800_000)).toEqual([]);
      await block("Tether has paused all USDT transfers.");
      expect(await record(40_000)).toEqual([]);
      await switchOn(database.db, "swaps");
      expect(await record(600_000)).toEqual([]);
      expect(await record(40_000)).toHaveLength(1);
      await block(null);
      await refresh();
      // The switch does not hide an outage that has ended.
      await switchOff(database.db, "swaps", { reason: "Maintenance.", at: now });
      expect(await record(40_000)).toEqual([]);
      await switchOn(database.db, "swaps");
    });
  });

  it("has a gap after a minute without a record, which is an interruption of a minute", async () => {
    await recordAcceptance(ctx);
    await move(59_999);
    await recordAcceptance(ctx);
    expect(await read()).toHaveLength(1);
    await move(60_000);
    await recordAcceptance(ctx);
    expect(await getInterruptions(ctx)).toEqual({
      since: start,
      interruptions: [{ reason: "not_running", from: later(59_999), to: later(119_999) }],
    });
  });

  it("gives an unknown rate as the reason when the rate is too old, and before the first one", async () => {
    const reason = async () => getPauseReason(ctx, await getMarket(ctx), now);
    await move(600_000);
    expect(await reason()).toBeNull();
    await move(1);
    expect(await reason()).toBe("rate_unknown");
    await move(0, { isOutOfReach: true });
    expect(await reason()).toBe(isClosed);
    await move(0);
    await database.db.delete(ratePoints);
    expect(await reason()).toBe("rate_unknown");
  });

  it("starts now if there is none yet, and 30 days ago at the earliest", async () => {
    expect(await getInterruptions(ctx)).toEqual({ since: start, interruptions: [] });
    await insert(
      { reason: isClosed, startedAt: later(-40 * dayMs), endedAt: later(-dayMs) },
      { reason: null, startedAt: later(-dayMs), endedAt: start },
    );
    expect(await getInterruptions(ctx)).toEqual({
      since: later(-30 * dayMs),
      interruptions: [{ reason: isClosed, from: later(-30 * dayMs), to: later(-dayMs) }],
    });
  });

  it("is read without the short interruptions, of which there may be many", async () => {
    const long = { reason: "long", startedAt: later(-10_000_000), endedAt: later(-9_900_000) };
    const short = Array.from({ length: 400 }, (_, index) => ({
      reason: index % 2 === 0 ? "short" : null,
      startedAt: later((index - 401) * 20_000),
      endedAt: later((index - 400) * 20_000),
    }));
    const first = { reason: null, startedAt: later(-9_900_000), endedAt: later(-401 * 20_000) };
    await insert(long, first, ...short, { reason: "current", startedAt: later(-20_000), endedAt: later(-10_000) });
    const rows = await selectInterrupted(database.db, { start: later(-30 * dayMs), now });
    expect(rows.map(({ reason }) => reason)).toEqual(["current", "long"]);
    expect(await getInterruptions(ctx)).toEqual({
      since: long.startedAt,
      interruptions: [{ reason: "long", from: long.startedAt, to: long.endedAt }],
    });
  });

  it("shows the newest hundred interruptions", async () => {
    const minute = 60_000;
    const periods = Array.from({ length: 102 }, (_, index) => ({
      reason: `reason ${index}`,
      startedAt: later((index - 102) * minute),
      endedAt: later((index - 101) * minute),
    }));
    await insert(...periods);
    const { interruptions } = await getInterruptions(ctx);
    expect(interruptions.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 100 }, (_, index) => `reason ${101 - index}`),
    );
  });
});
