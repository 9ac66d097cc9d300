import { describe, expect, it } from "vitest";
import { formatBps } from "~/lib/format-bps";
import { formatDecimalText, plainNumberStyle, toNumberStyle } from "~/lib/number-style";
import { trimZeros } from "~/lib/trim-zeros";

describe("numbers in the visitor's language", () => {
  it.each([
    ["en", "1234567.5", "1,234,567.5"],
    ["en", "123", "123"],
    ["en", "1234", "1,234"],
    ["de", "1234.5", "1.234,5"],
    ["es", "1234.5", "1234,5"],
    ["es", "12345", "12.345"],
    ["en-IN", "123456789", "12,34,56,789"],
    ["en-IN", "1234", "1,234"],
    ["ar-EG", "1234.5", "1,234.5"],
  ])("writes %s %s as %s", (tag, text, written) => {
    expect(formatDecimalText(text, toNumberStyle(tag))).toBe(written);
  });

  it("pads decimals and never cuts them", () => {
    expect(formatDecimalText("1", plainNumberStyle, 2)).toBe("1.00");
    expect(formatDecimalText("1.234", plainNumberStyle, 2)).toBe("1.234");
    expect(formatDecimalText("", plainNumberStyle)).toBe("");
  });

  it("does not write groups in languages without them", () => {
    const style = { ...plainNumberStyle, group: "" };
    expect(formatDecimalText("1234567", style)).toBe("1234567");
  });

  it("caches the number styles of up to 200 languages", () => {
    const first = toNumberStyle("en-GB");
    expect(toNumberStyle("en-GB")).toBe(first);
    for (let index = 0; index < 200; index += 1) toNumberStyle(`en-GB-x-${index}`);
    expect(toNumberStyle("en-GB")).not.toBe(first);
    expect(toNumberStyle("en-GB")).toEqual(first);
  });

  it("writes basis points as a percentage", () => {
    expect([50, 100, 5, 125].map((bps) => formatBps(bps, plainNumberStyle))).toEqual(["0.5%", "1%", "0.05%", "1.25%"]);
  });

  it("removes the zeros at the end of digits", () => {
    expect(["", "0", "000", "100", "101", "010"].map(trimZeros)).toEqual(["", "", "", "1", "101", "01"]);
  });
});
