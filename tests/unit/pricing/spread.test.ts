import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toTwoSidedRate } from "~/exchange.server/pricing/spread";
import { toQuotedRate } from "~/lib/price";

const rate = 350_000_000_000n;
const bps = (part: number) => rate + (rate * BigInt(part)) / 10_000n;

describe("T44 the price in both directions", () => {
  it("is the rate if the feeds agree and the rate is calm", () => {
    const prices = toTwoSidedRate({ low: rate, high: rate }, { recent: [rate, bps(150), bps(20)], calmBps: 200 });
    expect(prices).toEqual({ bid: rate, ask: rate });
  });

  it("does not give either direction the better of two feeds that are 2 % apart", () => {
    const high = bps(200);
    const prices = toTwoSidedRate({ low: rate, high }, { recent: [], calmBps: 200 });
    expect(prices).toEqual({ bid: rate, ask: high });
    // 100 USDT buy MOB at the higher feed; MOB are sold at the lower one.
    expect(toQuotedRate("USDT", prices)).toBe(10n ** 24n / high);
    expect(toQuotedRate("MOB", prices)).toBe(rate);
  });

  it("moves each side by half of the movement beyond the calm range", () => {
    const prices = toTwoSidedRate({ low: rate, high: rate }, { recent: [rate, bps(-500)], calmBps: 200 });
    // The rate rose by 526 basis points from its lowest: 326 more than calm.
    expect(prices).toEqual({ bid: bps(-163), ask: bps(163) });
  });

  it("does not count the disagreement of the feeds twice", () => {
    const prices = toTwoSidedRate({ low: rate, high: bps(100) }, { recent: [bps(-500)], calmBps: 100 });
    // 631 basis points from the lowest to the highest, of which 100 are the feeds' and 100 are calm: 431 more.
    expect(prices).toEqual({ bid: bps(-215), ask: 361_100_250_000n });
  });

  it("widens with a larger movement, is never inverted and never 0", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1_000n, max: 10n ** 15n }),
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.array(fc.bigInt({ min: 1n, max: 10n ** 15n }), { maxLength: 5 }),
        fc.integer({ min: 0, max: 1_000 }),
        (low, apart, recent, calmBps) => {
          const feeds = { low, high: low + apart };
          const { bid, ask } = toTwoSidedRate(feeds, { recent, calmBps });
          expect(bid > 0n && bid <= feeds.low && ask >= feeds.high).toBe(true);
          const wilder = toTwoSidedRate(feeds, { recent: [...recent, 2n * 10n ** 15n], calmBps });
          expect(wilder.ask - wilder.bid).toBeGreaterThanOrEqual(ask - bid);
        },
      ),
    );
  });
});
