import { describe, expect, it } from "vitest";
import { ExchangeError } from "~/exchange.server/errors";
import type { Liquidity } from "~/exchange.server/orders/liquidity";
import {
  requireNoLockCooldown,
  requireSmallUnpaidShare,
  type UnpaidOrders,
} from "~/exchange.server/orders/locking/unpaid-locks";

const now = new Date("2026-03-01T12:00:00Z");
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

/** What the check throws; null if it passes. */
function refusalOf(check: () => void): ExchangeError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof ExchangeError) return error;
    throw error;
  }
}

describe("an account whose locks end unpaid", () => {
  const none: UnpaidOrders = { waiting: 0, ended: 0, lastEndedAt: null, mistakes: 0, lastMistakeAt: null };
  const waitOf = (unpaid: Partial<UnpaidOrders>, firstWaitMs = 60_000) => {
    const refusal = refusalOf(() => requireNoLockCooldown({ ...none, ...unpaid }, { firstWaitMs, now }));
    if (!refusal) return null;
    expect(refusal.code).toBe("rate_limited");
    return { message: refusal.message, seconds: refusal.retryAfterSeconds };
  };
  const can = (what: string, wait: string) =>
    `${what} of your swaps in the last 24 hours ended without full payment on time. You can lock another price in ${wait}.`;

  it.each<[ended: number, minutesAgo: number, what: string, wait: string, seconds: number]>([
    [1, 0, "One", "a minute", 60],
    [1, 0.5, "One", "a minute", 30],
    [2, 0, "2", "2 minutes", 120],
    [2, 0.5, "2", "2 minutes", 90],
    [6, 0, "6", "32 minutes", 32 * 60],
    [7, 4, "7", "an hour", 60 * 60],
    [7, 5, "7", "59 minutes", 59 * 60],
    [7, 3, "7", "2 hours", 61 * 60],
    [10, 0, "10", "9 hours", 512 * 60],
    [11, 0, "11", "9 hours", 512 * 60],
  ])("has to wait after %i of them, the last %d minutes ago", (ended, minutesAgo, what, wait, seconds) => {
    expect(waitOf({ ended, lastEndedAt: ago(minutesAgo) })).toEqual({ message: can(what, wait), seconds });
  });

  it("does not have to wait if none ended unpaid, or once the wait is over", () => {
    expect(waitOf({})).toBeNull();
    expect(waitOf({ ended: 0, lastEndedAt: now })).toBeNull();
    expect(waitOf({ ended: 1, lastEndedAt: ago(1) })).toBeNull();
    expect(waitOf({ ended: 1, lastEndedAt: ago(2) })).toBeNull();
    expect(waitOf({ ended: 11, lastEndedAt: now }, 0)).toBeNull();
  });

  it("has to wait after its sixth mistake of a day, from the time of the last one", () => {
    expect(waitOf({ mistakes: 5, lastMistakeAt: now })).toBeNull();
    expect(waitOf({ mistakes: 6, lastMistakeAt: now })?.seconds).toBe(60);
    expect(waitOf({ mistakes: 7, lastMistakeAt: ago(1), ended: 1, lastEndedAt: ago(3) })?.seconds).toBe(180);
  });

  it("has to wait from the time of the last lock that ended, not of a mistake that does not count", () => {
    expect(waitOf({ mistakes: 5, lastMistakeAt: now, ended: 1, lastEndedAt: ago(0.5) })?.seconds).toBe(30);
  });
});

describe("what an account reserves without paying", () => {
  const liquidity = { total: 5_000n, unpaid: 100n, unpaidLocks: 2 } as Liquidity;
  const check = (changes: Partial<Liquidity>) =>
    refusalOf(() => requireSmallUnpaidShare({ ...liquidity, ...changes }, "MOB"));

  it("is at most a fiftieth of what we could pay out", () => {
    expect(check({})).toBeNull();
    const refusal = check({ unpaid: 101n });
    expect(refusal?.code).toBe("too_many_orders");
    expect(refusal?.message).toContain("already reserve as much MOB as one account can");
  });

  it("may be more for a single swap", () => {
    expect(check({ unpaid: 5_000n, unpaidLocks: 1 })).toBeNull();
  });
});
