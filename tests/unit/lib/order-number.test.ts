import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseOrderNumber, toOrderNumber } from "~/lib/order-number";
import { exportHeader, toOrderCells } from "~/routes/doger/swaps-csv/order-cells";
import { makeOrder } from "../../support/orders";

describe("the number of a swap", () => {
  it("is at most eleven characters in groups of four, without letters that look like digits", () => {
    expect(toOrderNumber(1_575_403_237_068_558)).toBe("1CRT-8K55-KRE");
    expect(toOrderNumber(Number.MAX_SAFE_INTEGER)).toBe("7ZZZ-ZZZZ-ZZZ");
    expect(toOrderNumber(1)).toBe("1");
    expect(parseOrderNumber("00000000001")).toBe(1);
    expect(parseOrderNumber("000000000001")).toBeNull();
  });

  it("is different for every swap", () => {
    const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
    fc.assert(fc.property(id, id, (a, b) => (a === b) === (toOrderNumber(a) === toOrderNumber(b))));
  });

  it("is parsed however it is typed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => {
        const number = toOrderNumber(id);
        const typed = [number, number.toLowerCase(), ` ${number.replaceAll("-", " ")} `, number.replaceAll("-", "")];
        for (const text of typed) expect(parseOrderNumber(text)).toBe(id);
      }),
    );
    expect(parseOrderNumber("icrt-8k55-kre")).toBe(1_575_403_237_068_558);
    expect(parseOrderNumber("LO")).toBe(32);
  });

  it.each(["", " - ", "0", "1CRT-8K55-KRU", "1CRT_8K55", "8000-0000-000", "1CRT-8K55-KRE1", "0_1f"])(
    "is not %j",
    (text) => {
      expect(parseOrderNumber(text)).toBeNull();
    },
  );

  it("is the same in the CSV file as on the page", () => {
    const cells = toOrderCells(makeOrder(), "https://antelope.example");
    expect(cells[exportHeader.indexOf("number")]).toBe("1CRT-8K55-KRE");
  });
});
