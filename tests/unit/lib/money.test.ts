import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  AmountError,
  bpsCeil,
  formatDecimal,
  invertRateFloor,
  parseAmount,
  parseDecimal,
  toSourceCeil,
  toTargetFloor,
} from "~/lib/money";

const rate = fc.bigInt(10n ** 9n, 10n ** 15n);

describe("T42 parsing amounts", () => {
  it.each([
    "",
    " 1",
    "1 ",
    "+1",
    "-1",
    "1e3",
    "0x10",
    "1,5",
    ".5",
    "5.",
    "01",
    "NaN",
    "Infinity",
    "١٢",
    "１",
    "1".repeat(16),
    "1".repeat(50_000),
    "1.1234567890123",
  ])("refuses %j", (text) => {
    expect(() => parseDecimal(text, 12)).toThrow(AmountError);
  });

  it("refuses more decimals than the asset has, and never rounds", () => {
    expect(() => parseAmount("1.0000005", "USDT")).toThrow("at most 6 digits");
    expect(() => parseDecimal("0.123", 2)).toThrow("Enter at most 2 digits after the point.");
    expect(parseAmount("1.000001", "USDT")).toBe(1_000_001n);
    expect(parseAmount("1.000000000001", "MOB")).toBe(1_000_000_000_001n);
  });

  it("parses what it formats", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 26n), fc.integer({ min: 0, max: 12 }), (units, decimals) => {
        fc.pre(units / 10n ** BigInt(decimals) < 10n ** 15n);
        expect(parseDecimal(formatDecimal(units, decimals), decimals)).toBe(units);
      }),
    );
  });

  it("formats negative amounts with a sign", () => {
    expect([0n, -1n, -1_500_000n, -1_000_000_000_000n].map((units) => formatDecimal(units, 6))).toEqual([
      "0",
      "-0.000001",
      "-1.5",
      "-1000000",
    ]);
  });

  it("never parses a string as a different number", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        try {
          const units = parseDecimal(text, 6);
          expect(Number(formatDecimal(units, 6))).toBe(Number(text));
        } catch (error) {
          expect(error).toBeInstanceOf(AmountError);
        }
      }),
      { numRuns: 20_000 },
    );
  });
});

describe("T41 rounding in our favour", () => {
  it("never gives more after converting there and back", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 16n), rate, (units, usdtPerMob) => {
        const mob = toTargetFloor(units, { source: "USDT", target: "MOB", rate: invertRateFloor(usdtPerMob) });
        const back = toTargetFloor(mob, { source: "MOB", target: "USDT", rate: usdtPerMob });
        expect(back).toBeLessThanOrEqual(units);
      }),
      { numRuns: 20_000 },
    );
  });

  it("finds the smallest source that yields the target", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 16n), rate, fc.boolean(), (target, r, usdtFirst) => {
        const pair = usdtFirst
          ? ({ source: "USDT", target: "MOB", rate: r } as const)
          : ({ source: "MOB", target: "USDT", rate: r } as const);
        const source = toSourceCeil(target, pair);
        expect(toTargetFloor(source, pair)).toBeGreaterThanOrEqual(target);
        if (source > 0n) expect(toTargetFloor(source - 1n, pair)).toBeLessThan(target);
      }),
      { numRuns: 10_000 },
    );
  });

  it("rounds a fee up", () => {
    expect(bpsCeil(1n, 50)).toBe(1n);
    expect(bpsCeil(10_000n, 50)).toBe(50n);
    expect(bpsCeil(10_001n, 50)).toBe(51n);
  });
});
