import { describe, expect, it } from "vitest";
import { describeFee } from "~/lib/fee";
import { parseAmount, parseDecimal } from "~/lib/money";
import { plainNumberStyle, toNumberStyle } from "~/lib/number-style";
import { type Side, toPrice } from "~/lib/price";

const terms = {
  feeBps: 50,
  payoutCost: { USDT: 500_000n, MOB: 400_000_000n },
  minUsdt: 10_000_000n,
  maxUsdt: 10_000_000_000n,
};
const mobToUsdt = { source: "MOB", target: "USDT", rate: parseDecimal("0.35", 12) } as const;
const usdtToMob = { source: "USDT", target: "MOB", rate: parseDecimal("2.857142857142", 12) } as const;

function describeFor(amount: string, pair: typeof mobToUsdt | typeof usdtToMob, changed = terms) {
  const side: Side = "source";
  const price = toPrice({ side, amount: parseAmount(amount, pair.source) }, pair, changed);
  return describeFee(price, pair, changed, plainNumberStyle);
}

describe("the text about a fee", () => {
  it("is only the configured share if no minimum fee applies", () => {
    expect(describeFor("250", usdtToMob)).toEqual({ name: "Fee", percent: "0.5%", explanation: null });
    expect(describeFor("10000", mobToUsdt)).toMatchObject({ name: "Fee", percent: "0.5%" });
  });

  it("names a minimum fee, its real share, and the amount from which the configured share applies", () => {
    // 0.50 USDT are 1.43 MOB, which is 4.8% of 30 MOB and 0.5% of 286 MOB.
    expect(describeFor("30", mobToUsdt)).toEqual({
      name: "Minimum fee",
      percent: "4.8%",
      explanation: "Our fee covers at least the network fee for the payout. For 286 MOB or more, it is 0.5%.",
    });
    expect(describeFor("285", mobToUsdt).name).toBe("Minimum fee");
    expect(describeFor("286", mobToUsdt).name).toBe("Fee");
  });

  it("shows hundredths of a percent below 1%, tenths from there on, and 0% of nothing", () => {
    const percentOf = (feeAmount: bigint, sourceAmount: bigint) =>
      describeFee({ feeAmount, sourceAmount }, mobToUsdt, terms, plainNumberStyle).percent;
    expect([percentOf(99n, 10_000n), percentOf(100n, 10_000n), percentOf(124n, 10_000n)]).toEqual([
      "0.99%",
      "1%",
      "1.2%",
    ]);
    expect(percentOf(0n, 0n)).toBe("0%");
  });

  it("does not round up a threshold that is already a whole amount", () => {
    const whole = { ...terms, payoutCost: { ...terms.payoutCost, MOB: 1_000_000_000_000n } };
    const pair = { ...usdtToMob, rate: parseDecimal("2", 12) };
    const price = toPrice({ side: "source", amount: parseAmount("20", "USDT") }, pair, whole);
    expect(describeFee(price, pair, whole, plainNumberStyle).explanation).toMatch(
      /For 100 USDT or more, it is 0\.5%\.$/,
    );
  });

  it("does not promise a share if none is configured", () => {
    const fee = describeFor("30", mobToUsdt, { ...terms, feeBps: 0 });
    expect(fee.explanation).toBe("Our fee covers at least the network fee for the payout.");
  });

  it("uses the visitor's number style", () => {
    const price = toPrice({ side: "source", amount: parseAmount("30", "MOB") }, mobToUsdt, terms);
    expect(describeFee(price, mobToUsdt, terms, toNumberStyle("de")).percent).toBe("4,8%");
  });
});
