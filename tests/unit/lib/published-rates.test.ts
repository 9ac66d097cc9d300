import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAmount, formatDecimal, RATE_DECIMALS } from "~/lib/money";
import { toDirectionRate, toPrice } from "~/lib/price";
import { toPair, toPriceTerms } from "~/lib/published-rates";
import { makeRates } from "../../support/rates";
import { testConfig } from "../../support/test-config";

const usdtPerMob = 351_234_567_890n;
const rates = makeRates({
  rates: {
    USDT_MOB: formatDecimal(toDirectionRate("USDT", usdtPerMob), RATE_DECIMALS),
    MOB_USDT: formatDecimal(toDirectionRate("MOB", usdtPerMob), RATE_DECIMALS),
  },
  fee_bps: testConfig.feeBps,
  limits: { min_usdt: formatAmount(testConfig.minUsdt, "USDT"), max_usdt: formatAmount(testConfig.maxUsdt, "USDT") },
  payout_cost: {
    USDT: formatAmount(testConfig.payoutCost.USDT, "USDT"),
    MOB: formatAmount(testConfig.payoutCost.MOB, "MOB"),
  },
});

const directions = [
  { source: "USDT", target: "MOB" },
  { source: "MOB", target: "USDT" },
] as const;

describe("published rates", () => {
  it("are the exchange's own rate and terms, to the base unit", () => {
    for (const direction of directions) {
      expect(toPair(direction, rates)).toEqual({ ...direction, rate: toDirectionRate(direction.source, usdtPerMob) });
    }
    const { feeBps, payoutCost, minUsdt, maxUsdt } = testConfig;
    expect(toPriceTerms(rates)).toEqual({ feeBps, payoutCost, minUsdt, maxUsdt });
  });

  it("give the browser the exchange's own price, in both directions and from both sides", () => {
    const direction = fc.constantFrom(...directions);
    const side = fc.constantFrom("source", "target");
    fc.assert(
      fc.property(direction, side, fc.bigInt(10n ** 7n, 10n ** 17n), (pairOf, given, amount) => {
        const own = { ...pairOf, rate: toDirectionRate(pairOf.source, usdtPerMob) };
        const published = toPair(pairOf, rates);
        expect(published && toPrice({ side: given, amount }, published, toPriceTerms(rates))).toEqual(
          toPrice({ side: given, amount }, own, testConfig),
        );
      }),
    );
  });

  it("have no pair while no trustworthy rate is known", () => {
    expect(toPair(directions[0], { ...rates, rates: null })).toBeNull();
  });
});
