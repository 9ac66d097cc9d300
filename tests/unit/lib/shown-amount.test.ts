import { describe, expect, it } from "vitest";
import { plainNumberStyle, toNumberStyle } from "~/lib/number-style";
import {
  formatExactMoney,
  formatFee,
  formatMoney,
  formatRate,
  toRoughAmount,
  toRoughAmountUp,
} from "~/lib/shown-amount";

describe("rough amounts", () => {
  it("are rounded down to two decimals of USDT and four of MOB", () => {
    expect(toRoughAmount(708_285_912_345_678n, "MOB")).toBe("708.2859");
    expect(toRoughAmount(1_259_999n, "USDT")).toBe("1.25");
  });

  it("are rounded up to the same number of decimals", () => {
    expect(toRoughAmountUp(708_285_912_345_678n, "MOB")).toBe("708.286");
    expect(toRoughAmountUp(1_250_000n, "USDT")).toBe("1.25");
    expect(toRoughAmountUp(1n, "USDT")).toBe("0.01");
  });

  it("are never rounded down to zero", () => {
    expect(toRoughAmount(5n, "USDT")).toBe("0.000005");
  });
});

describe("formatMoney", () => {
  it.each([
    ["250", "USDT", "250.00"],
    ["1234.567891", "USDT", "1,234.567891"],
    ["710.704482123456", "MOB", "710.7044"],
    ["12345.678999999999", "MOB", "12,345.6789"],
    ["250.5", "MOB", "250.50"],
    ["1.001234567890", "MOB", "1.0012"],
    ["0.0004", "MOB", "0.0004"],
    ["0.000012345678", "MOB", "0.00001234"],
    ["0.000000000001", "MOB", "0.000000000001"],
  ] as const)("shortens %s %s to %s, never to more than it is", (amount, asset, shown) =>
    expect(formatMoney(amount, asset, plainNumberStyle).slice(0, -1 - asset.length)).toBe(shown),
  );

  it("may wrap before the asset if the amount has more than 12 characters", () => {
    expect(formatMoney("12345.678901", "USDT", plainNumberStyle)).toBe("12,345.678901 USDT");
    expect(formatMoney("1234.5678901", "MOB", plainNumberStyle)).toBe("1,234.5678\u00a0MOB");
    expect(formatMoney("1234.567891", "USDT", plainNumberStyle)).toBe("1,234.567891\u00a0USDT");
  });

  it("has an exact form with every digit", () =>
    expect(formatExactMoney("1234.567890123456", "MOB", plainNumberStyle)).toBe("1,234.567890123456 MOB"));
});

describe("formatFee", () => {
  it.each([
    ["1.257", "USDT", "1.257"],
    ["1.25", "USDT", "1.25"],
    ["2", "USDT", "2.00"],
    ["1.428571428572", "MOB", "1.4286"],
    ["0.000012340000", "MOB", "0.00001234"],
    ["0.000012345678", "MOB", "0.00001235"],
    ["0.999999999999", "MOB", "1.00"],
  ] as const)("shows a fee of %s %s as %s, never as less than it is", (amount, asset, shown) =>
    expect(formatFee(amount, asset, plainNumberStyle)).toBe(`${shown}\u00a0${asset}`),
  );
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
