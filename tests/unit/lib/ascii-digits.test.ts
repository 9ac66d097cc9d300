import { expect, it } from "vitest";
import { toAsciiDigits } from "~/lib/ascii-digits";

it("reads the ten digits of every script, and leaves everything else as it is", () => {
  const all = Array.from({ length: 0x110000 }, (_, at) => at).filter((at) => at < 0xd800 || at > 0xdfff);
  const digits = all.map((at) => String.fromCodePoint(at)).filter((char) => /\p{Nd}/u.test(char));
  expect(digits.length).toBeGreaterThan(600);
  expect(toAsciiDigits(digits.join(""))).toBe("0123456789".repeat(digits.length / 10));
  expect(toAsciiDigits("Ⅳ ½ ² ٫ a. ４２")).toBe("Ⅳ ½ ² ٫ a. 42");
});
