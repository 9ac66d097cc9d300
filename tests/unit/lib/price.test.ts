import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AssetSymbol, otherAsset } from "~/lib/assets";
import type { Pair } from "~/lib/money";
import {
  findLimitProblem,
  findPriceProblem,
  type Price,
  type PriceTerms,
  type Side,
  toDirectionRate,
  toPrice,
  toSourceLimits,
  toUsdtValue,
} from "~/lib/price";

const terms: PriceTerms = {
  feeBps: 50,
  minUsdt: 10_000_000n,
  maxUsdt: 10_000_000_000n,
  payoutCost: { USDT: 500_000n, MOB: 400_000_000n },
};
const usdtPerMob = fc.bigInt(10n ** 9n, 10n ** 15n);
const source = fc.constantFrom<AssetSymbol>("USDT", "MOB");

const toPair = (asset: AssetSymbol, perMob: bigint): Pair => ({
  source: asset,
  target: otherAsset(asset),
  rate: toDirectionRate(asset, perMob),
});
const priceOf = (side: Side, amount: bigint, pair: Pair): Price => toPrice({ side, amount }, pair, terms);
const targetOf = (amount: bigint, pair: Pair): bigint => priceOf("source", amount, pair).targetAmount;

describe("toPrice", () => {
  it("takes a fee of 1.25 USDT from 250 USDT and pays out 710.714285714283… MOB, rounded down, at 0.35 USDT per MOB", () => {
    const price = priceOf("source", 250_000_000n, toPair("USDT", 350_000_000_000n));
    expect(price.rate).toBe(2_857_142_857_142n);
    expect(price.feeAmount).toBe(1_250_000n);
    expect(price.targetAmount).toBe((248_750_000n * 2_857_142_857_142n) / 1_000_000n);
  });

  it("charges at least the cost of the payout, converted and rounded up", () => {
    const price = priceOf("source", 30_000_000_000_000n, toPair("MOB", 350_000_000_000n));
    expect(price.feeAmount).toBe((500_000n * 10n ** 18n + 350_000_000_000n - 1n) / 350_000_000_000n);
    expect(price.targetAmount).toBe(9_999_999n);
  });

  it("pays out nothing if the fee takes the whole source amount", () => {
    const price = priceOf("source", 1n, toPair("USDT", 350_000_000_000n));
    expect(price.targetAmount).toBe(0n);
    expect(price.feeAmount).toBeGreaterThan(1n);
  });

  it("T41 never gives more for an amount that is split into two orders", () => {
    fc.assert(
      fc.property(source, usdtPerMob, fc.bigInt(1n, 10n ** 16n), fc.bigInt(1n, 10n ** 16n), (asset, perMob, a, b) => {
        const pair = toPair(asset, perMob);
        expect(targetOf(a, pair) + targetOf(b, pair)).toBeLessThanOrEqual(targetOf(a + b, pair));
      }),
      { numRuns: 20_000 },
    );
  });

  it("T41 never lets a customer profit from swapping there and back", () => {
    fc.assert(
      fc.property(source, usdtPerMob, fc.bigInt(1n, 10n ** 17n), (asset, perMob, amount) => {
        const there = targetOf(amount, toPair(asset, perMob));
        if (there === 0n) return;
        const back = targetOf(there, toPair(otherAsset(asset), perMob));
        expect(back).toBeLessThan(amount);
      }),
      { numRuns: 20_000 },
    );
  });

  it("finds the smallest source amount that yields a target amount", () => {
    fc.assert(
      fc.property(source, usdtPerMob, fc.bigInt(1n, 10n ** 16n), (asset, perMob, wanted) => {
        const pair = toPair(asset, perMob);
        const price = priceOf("target", wanted, pair);
        expect(price.targetAmount).toBeGreaterThanOrEqual(wanted);
        expect(targetOf(price.sourceAmount - 1n, pair)).toBeLessThan(wanted);
      }),
      { numRuns: 20_000 },
    );
  });

  it("never gives less for a larger source amount", () => {
    fc.assert(
      fc.property(source, usdtPerMob, fc.bigInt(1n, 10n ** 16n), (asset, perMob, amount) => {
        const pair = toPair(asset, perMob);
        expect(targetOf(amount, pair)).toBeLessThanOrEqual(targetOf(amount + 1n, pair));
      }),
    );
  });
});

describe("limits", () => {
  const usdt = toPair("USDT", 350_000_000_000n);
  const mob = toPair("MOB", 350_000_000_000n);

  it("apply to the source amount in USDT, fee included, and are inclusive", () => {
    expect(findLimitProblem(9_999_999n, usdt, terms)).toEqual({ kind: "too-small", limit: 10_000_000n });
    expect(findLimitProblem(10_000_000n, usdt, terms)).toBeNull();
    expect(findLimitProblem(10_000_000_000n, usdt, terms)).toBeNull();
    expect(findLimitProblem(10_000_000_001n, usdt, terms)).toEqual({ kind: "too-large", limit: 10_000_000_000n });
    expect(toUsdtValue(100_000_000_000_000n, mob)).toBe(35_000_000n);
    expect(findLimitProblem(28_000_000_000_000n, mob, terms)?.kind).toBe("too-small");
  });

  it("are the smallest and largest source amounts that can be quoted, to the base unit", () => {
    fc.assert(
      fc.property(source, usdtPerMob, (asset, perMob) => {
        const pair = toPair(asset, perMob);
        const { min, max } = toSourceLimits(pair, terms);
        const problemAt = (amount: bigint) => findLimitProblem(amount, pair, terms)?.kind;
        expect([min - 1n, min, max, max + 1n].map(problemAt)).toEqual(["too-small", undefined, undefined, "too-large"]);
      }),
    );
  });

  it("come before the problem of a fee that leaves nothing", () => {
    const expensive = { ...terms, payoutCost: { USDT: 500_000n, MOB: 10n ** 18n } };
    const problemAt = (amount: bigint) =>
      findPriceProblem(toPrice({ side: "source", amount }, usdt, expensive), usdt, expensive)?.kind;
    expect(problemAt(1n)).toBe("too-small");
    expect(problemAt(10_000_000n)).toBe("nothing-left");
    expect(findPriceProblem(priceOf("source", 10_000_000n, usdt), usdt, terms)).toBeNull();
  });
});
