import { describe, expect, it } from "vitest";
import { fitAmount } from "~/ui/fit";
import { withCoin, withoutCoin } from "~/ui/fit.css";

describe("fitAmount", () => {
  it("chooses the largest size that an amount fits into", () => {
    expect(fitAmount("")).toBe(withoutCoin[6]);
    expect(fitAmount("250.00")).toBe(withoutCoin[6]);
    expect(fitAmount("1,250.00")).toBe(withoutCoin[8]);
    expect(fitAmount("28,376.884704508301", withCoin)).toBe(withCoin[20]);
    expect(fitAmount("1".repeat(64))).toBe(withoutCoin[26]);
    expect(new Set(Object.values(withoutCoin)).size).toBe(Object.keys(withoutCoin).length);
  });
});
