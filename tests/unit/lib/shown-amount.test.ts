import { describe, expect, it } from "vitest";
import { plainNumberStyle, toNumberStyle } from "~/lib/number-style";
import { formatRate, toRoughAmount } from "~/lib/shown-amount";

describe("toRoughAmount", () => {
  it("rounds down to two decimals of USDT and four of MOB", () => {
    expect(toRoughAmount(708_285_912_345_678n, "MOB")).toBe("708.2859");
    expect(toRoughAmount(1_259_999n, "USDT")).toBe("1.25");
  });

  it("never rounds an amount down to zero", () => {
    expect(toRoughAmount(5n, "USDT")).toBe("0.000005");
  });
});

describe("formatRate", () => {
  it.each([
    ["0.351230000000", "0.35123"],
    ["0.35", "0.35000"],
    ["0.350000000000", "0.35000"],
    ["2.847400123456", "2.8474"],
    ["2.847412345678", "2.8474"],
    ["0.001234567890", "0.0012345"],
    ["0.000012345678", "0.000012345"],
    ["1", "1.0000"],
    ["12345.6", "12,345"],
    ["123456.789", "123,456"],
  ])("formats %s as %s: five significant digits, the rest cut", (rate, shown) =>
    expect(formatRate(rate, plainNumberStyle)).toBe(shown),
  );

  it("uses the visitor's number style", () => expect(formatRate("2.8474", toNumberStyle("de"))).toBe("2,8474"));
});
