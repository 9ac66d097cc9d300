import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ExchangeError } from "../../../app/exchange.server/errors";
import {
  type Pricing,
  priceOfSource,
  priceOfTarget,
  rateOf,
  requireWithinLimits,
  usdtValueOf,
} from "../../../app/exchange.server/quotes/price";
import type { AssetSymbol } from "../../../app/lib/assets";

const pricing: Pricing = {
  feeBps: 50,
  minUsdt: 10_000_000n,
  maxUsdt: 10_000_000_000n,
  payoutCost: { USDT: 500_000n, MOB: 400_000_000n },
};
const usdtPerMob = fc.bigInt(10n ** 9n, 10n ** 15n);
const source = fc.constantFrom<AssetSymbol>("USDT", "MOB");

function pairOf(asset: AssetSymbol, perMob: bigint) {
  return asset === "USDT"
    ? ({ source: "USDT", target: "MOB", rate: rateOf("USDT", perMob) } as const)
    : ({ source: "MOB", target: "USDT", rate: rateOf("MOB", perMob) } as const);
}

/** Null where the fee leaves nothing. */
function targetOf(amount: bigint, pair: ReturnType<typeof pairOf>): bigint {
  try {
    return priceOfSource(amount, pair, pricing).targetAmount;
  } catch (error) {
    if (error instanceof ExchangeError && error.code === "amount_too_small") return 0n;
    throw error;
  }
}

describe("the price of a swap", () => {
  test("250 USDT at 0.35 USDT a MOB pay 1.25 USDT of fee and bring 710.714285714283… MOB, rounded down", () => {
    const price = priceOfSource(250_000_000n, pairOf("USDT", 350_000_000_000n), pricing);
    expect(price.rate).toBe(2_857_142_857_142n);
    expect(price.feeAmount).toBe(1_250_000n);
    expect(price.targetAmount).toBe((248_750_000n * 2_857_142_857_142n) / 1_000_000n);
  });

  test("the fee is never less than the cost of the payout, converted and rounded up", () => {
    const price = priceOfSource(30_000_000_000_000n, pairOf("MOB", 350_000_000_000n), pricing);
    expect(price.feeAmount).toBe((500_000n * 10n ** 18n + 350_000_000_000n - 1n) / 350_000_000_000n);
    expect(price.targetAmount).toBe(9_999_999n);
  });

  test("T41 splitting an amount never beats one order", () => {
    fc.assert(
      fc.property(source, usdtPerMob, fc.bigInt(1n, 10n ** 16n), fc.bigInt(1n, 10n ** 16n), (asset, perMob, a, b) => {
        const pair = pairOf(asset, perMob);
        expect(targetOf(a, pair) + targetOf(b, pair)).toBeLessThanOrEqual(targetOf(a + b, pair));
      }),
      { numRuns: 20_000 },
    );
  });

  test("T41 there and back never profits", () => {
    fc.assert(
      fc.property(source, usdtPerMob, fc.bigInt(1n, 10n ** 17n), (asset, perMob, amount) => {
        const there = targetOf(amount, pairOf(asset, perMob));
        if (there === 0n) return;
        const back = targetOf(there, pairOf(asset === "USDT" ? "MOB" : "USDT", perMob));
        expect(back).toBeLessThan(amount);
      }),
      { numRuns: 20_000 },
    );
  });

  test("asked by what is wanted, the answer is the least source that yields it", () => {
    fc.assert(
      fc.property(source, usdtPerMob, fc.bigInt(1n, 10n ** 16n), (asset, perMob, wanted) => {
        const pair = pairOf(asset, perMob);
        const price = priceOfTarget(wanted, pair, pricing);
        expect(price.targetAmount).toBeGreaterThanOrEqual(wanted);
        expect(targetOf(price.sourceAmount - 1n, pair)).toBeLessThan(wanted);
      }),
      { numRuns: 20_000 },
    );
  });

  test("more is never worth less", () => {
    fc.assert(
      fc.property(source, usdtPerMob, fc.bigInt(1n, 10n ** 16n), (asset, perMob, amount) => {
        const pair = pairOf(asset, perMob);
        expect(targetOf(amount, pair)).toBeLessThanOrEqual(targetOf(amount + 1n, pair));
      }),
    );
  });

  test("limits look at the gross source in USDT", () => {
    const usdt = pairOf("USDT", 350_000_000_000n);
    const mob = pairOf("MOB", 350_000_000_000n);
    expect(() => requireWithinLimits(9_999_999n, usdt, pricing)).toThrow("at least 10 USDT");
    expect(() => requireWithinLimits(10_000_000n, usdt, pricing)).not.toThrow();
    expect(() => requireWithinLimits(10_000_000_000n, usdt, pricing)).not.toThrow();
    expect(() => requireWithinLimits(10_000_000_001n, usdt, pricing)).toThrow("at most 10000 USDT");
    expect(usdtValueOf(100_000_000_000_000n, mob)).toBe(35_000_000n);
    expect(() => requireWithinLimits(28_000_000_000_000n, mob, pricing)).toThrow("at least 10 USDT");
  });
});
