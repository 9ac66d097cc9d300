import { expect, test } from "vitest";
import { fitAmount } from "~/ui/fit";
import { alone, besideCoin } from "~/ui/fit.css";

test("an amount gets the first size that it fits into, the longest the smallest", () => {
  expect(fitAmount("")).toBe(alone[6]);
  expect(fitAmount("250.00")).toBe(alone[6]);
  expect(fitAmount("1,250.00")).toBe(alone[8]);
  expect(fitAmount("28,376.884704508301", besideCoin)).toBe(besideCoin[20]);
  expect(fitAmount("1".repeat(64))).toBe(alone[26]);
  expect(new Set(Object.values(alone)).size).toBe(Object.keys(alone).length);
});
