import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  rateOf as exchangeRateOf,
  priceOfSource,
  priceOfTarget,
  requireWithinLimits,
} from "~/exchange.server/quotes/price";
import { findPriceTrouble, limitsInSource, type PublishedRates, priceAt } from "~/lib/indicative-price";
import { formatAmount, formatDecimal } from "~/lib/money";
import { testConfig } from "../../support/test-config";

const usdtPerMob = 351_234_567_890n;
const rates: PublishedRates = {
  rates: {
    USDT_MOB: formatDecimal(exchangeRateOf("USDT", usdtPerMob), 12),
    MOB_USDT: formatDecimal(exchangeRateOf("MOB", usdtPerMob), 12),
  },
  updated_at: "2026-01-01T00:00:00.000Z",
  fee_bps: testConfig.feeBps,
  limits: { min_usdt: formatAmount(testConfig.minUsdt, "USDT"), max_usdt: formatAmount(testConfig.maxUsdt, "USDT") },
  payout_cost: {
    USDT: formatAmount(testConfig.payoutCost.USDT, "USDT"),
    MOB: formatAmount(testConfig.payoutCost.MOB, "MOB"),
  },
  refund_cost: { USDT: "0", MOB: "0" },
  confirmations: { USDT: 3, MOB: 1 },
  quote_ttl_seconds: 60,
  lock_ttl_seconds: 1800,
  grace_seconds: 120,
};

const directions = [
  { source: "USDT", target: "MOB" },
  { source: "MOB", target: "USDT" },
] as const;

describe("the price that the browser works out while an amount is typed", () => {
  it("is the exchange's own price to the last unit, both ways and from both sides", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...directions),
        fc.constantFrom("source", "target"),
        fc.bigInt(10n ** 7n, 10n ** 17n),
        (direction, side, units) => {
          const pair = { ...direction, rate: exchangeRateOf(direction.source, usdtPerMob) };
          const own = priceAt({ side, units }, direction, rates);
          let theirs: ReturnType<typeof priceOfSource> | null = null;
          try {
            theirs =
              side === "source" ? priceOfSource(units, pair, testConfig) : priceOfTarget(units, pair, testConfig);
          } catch {
            expect(own?.targetUnits).toBe(0n);
          }
          if (!theirs || !own) return;
          expect(own).toEqual({
            sourceUnits: theirs.sourceAmount,
            targetUnits: theirs.targetAmount,
            feeUnits: theirs.feeAmount,
          });
          let refused = false;
          try {
            requireWithinLimits(theirs.sourceAmount, pair, testConfig);
          } catch {
            refused = true;
          }
          expect(findPriceTrouble(own, direction, rates) !== null).toBe(refused);
        },
      ),
    );
  });

  it("knows the least and the most that may be sent", () => {
    for (const direction of directions) {
      const limits = limitsInSource(direction, rates);
      const at = (units: bigint) => {
        const price = priceAt({ side: "source", units }, direction, rates);
        return price && findPriceTrouble(price, direction, rates)?.kind;
      };
      expect(at(limits?.least ?? 0n)).toBeUndefined();
      expect(at((limits?.least ?? 0n) - 1n)).toBe("too-small");
      expect(at(limits?.most ?? 0n)).toBeUndefined();
    }
  });

  it("is none while no trustworthy rate is known", () => {
    const unknown = { ...rates, rates: null };
    expect(priceAt({ side: "source", units: 1n }, directions[0], unknown)).toBeNull();
    expect(limitsInSource(directions[0], unknown)).toBeNull();
  });
});
