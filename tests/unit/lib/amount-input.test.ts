import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAmountInput, readRateInput, toFieldText } from "~/lib/amount-input";
import { formatAmount } from "~/lib/money";
import { formatDecimalText, toNumberStyle } from "~/lib/number-style";

const en = toNumberStyle("en");
const de = toNumberStyle("de");
const fr = toNumberStyle("fr");
const hi = toNumberStyle("en-IN");

const read = (typed: string, style = en, asset: "USDT" | "MOB" = "USDT") => {
  const input = readAmountInput(typed, asset, style);
  return input.kind === "amount" ? input.text : input.kind;
};

describe("an amount as it is typed or pasted", () => {
  it.each([
    ["250", "250"],
    ["250.50", "250.5"],
    ["  250 ", "250"],
    ["1,234.56", "1234.56"],
    ["1.234,56", "1234.56"],
    ["1 234,56", "1234.56"],
    ["1\u202f234,56", "1234.56"],
    ["1'234.56", "1234.56"],
    ["1,234,567", "1234567"],
    ["12,34,567.8", "1234567.8"],
    ["250 USDT", "250"],
    ["usdt 250", "250"],
    ["$250", "250"],
    ["2５0", "250"],
    [".5", "0.5"],
    ["0250", "250"],
    ["250.", "250"],
    ["0.1234560", "0.123456"],
    ["00250", "250"],
    ["USDT250", "250"],
    ["250₮", "250"],
    ["1,23,456", "123456"],
    ["100,000", "100000"],
    ["1,000,000", "1000000"],
    ["1.234.567", "1234567"],
    ["$ 250", "250"],
    [" $250", "250"],
    ["1,23,4,567", "invalid"],
    ["250 $", "250"],
    ["₮ 250", "250"],
    ["250 Usdt ", "250"],
    ["1\u00a0234", "1234"],
    ["1\u2009234", "1234"],
    ["1’234", "1234"],
    ["1_234", "1234"],
    ["0.123456", "0.123456"],
    ["0.1000000", "0.1"],
    ["000", "invalid"],
    ["2 USDT 50", "invalid"],
    ["2$50", "invalid"],
    ["٢٥٠٫٥", "250.5"],
    ["١٬٢٣٤٫٥", "1234.5"],
    ["۱۲٫۳۴۵", "12.345"],
    ["२५०.५", "250.5"],
    ["৯৮৭", "987"],
    ["\u200e250 USDT\u200f", "250"],
    ["\u2066$1\u200b234.5\u2069", "1234.5"],
    ["\u202a\u202c", "empty"],
    ["𞥑𞥒", "12"],
    ["1,2345", "1.2345"],
    ["1234,567", "1234.567"],
    ["12,34,5678", "invalid"],
    ["1,2345,678.5", "invalid"],
    ["1.234,5,6", "invalid"],
    ["250¹", "invalid"],
    ["250 USDT²", "invalid"],
    ["2①", "invalid"],
    ["½", "invalid"],
  ])("reads %j as %s", (typed, text) => expect(read(typed)).toBe(text));

  it.each(["2,50,0", "1.2.3,4", "1,23.4,5", "-5", "1e3", "0x10", "ten", "1,2,3", "..", ",", "12,34", "1,,000"])(
    "reads %j literally or refuses it, and never reads it as another amount",
    (typed) => {
      expect(["invalid", "12.34"]).toContain(read(typed));
    },
  );

  it("reads a single separator as the visitor's locale does", () => {
    expect(read("1.500", en)).toBe("1.5");
    expect(read("1.500", de)).toBe("1500");
    expect(read("1,500", en)).toBe("1500");
    expect(read("1,500", de)).toBe("1.5");
    expect(read("250.5", de)).toBe("250.5");
    expect(read("0,500", en)).toBe("0.5");
  });

  it("refuses an ambiguous single separator if neither meaning is usual", () => {
    const swiss = toNumberStyle("de-CH");
    expect(read("1.500", fr)).toBe("invalid");
    expect(read("1,500", swiss)).toBe("invalid");
    expect([read("1,500", fr), read("1500", fr), read("1 500", fr)]).toEqual(["1.5", "1500", "1500"]);
    expect([read("1.50", fr), read("0.500", fr), read("1500.500", fr)]).toEqual(["1.5", "0.5", "1500.5"]);
    expect([read("1.500", swiss), read("1.500,5", fr)]).toEqual(["1.5", "1500.5"]);
  });

  it("reads an Arabic decimal separator only as a decimal separator", () => {
    expect(read("١٢٫٣٤٥", de)).toBe("12.345");
  });

  it("refuses more decimals than the asset has, nothing at all, and zero", () => {
    expect(readAmountInput("1.1234567", "USDT", en)).toEqual({
      kind: "invalid",
      message: "USDT has at most 6 digits after the point.",
    });
    expect(readAmountInput("1,1234567", "USDT", de)).toMatchObject({ message: expect.stringContaining("comma") });
    expect(read("1.123456789012", en, "MOB")).toBe("1.123456789012");
    expect(read("")).toBe("empty");
    expect(readAmountInput("0.00", "USDT", en)).toMatchObject({ message: "Enter an amount above zero." });
  });

  it.each(["1,234.56.7", "1.5,000", "1234,567.8", ",123,456", "1,2345.6", "1,0000,000", "1,000,00", "12 MOB"])(
    "refuses %j, and says what an amount looks like in the visitor's style",
    (typed) => {
      expect(readAmountInput(typed, "USDT", en)).toEqual({
        kind: "invalid",
        message: "Enter an amount such as 1,250.50.",
      });
      expect(readAmountInput("ten", "USDT", de)).toMatchObject({ message: "Enter an amount such as 1.250,50." });
    },
  );

  it("reads the first 64 characters, and counts decimals however many there are", () => {
    expect(read(`250${" ".repeat(61)}.5`)).toBe("250");
    expect(readAmountInput(`1.${"1".repeat(60)}`, "USDT", en)).toMatchObject({
      message: "USDT has at most 6 digits after the point.",
    });
    expect(readAmountInput("1".repeat(40), "USDT", en)).toMatchObject({ message: "Enter an amount such as 1,250.50." });
  });

  it("formats only amounts for a field", () => {
    expect(toFieldText("1250", de)).toBe("1.250");
    expect(toFieldText("1250.25", de)).toBe("1.250,25");
    for (const text of ["x1250", "1250x", "1250.", ".5", "-5", ""]) expect(toFieldText(text, de)).toBe(text);
  });

  it("parses every amount that it formats, in every locale, to the last unit", () => {
    const styles = [
      en,
      de,
      fr,
      hi,
      toNumberStyle("de-CH"),
      toNumberStyle("es"),
      toNumberStyle("ar-EG"),
      toNumberStyle("pt-PT"),
    ];
    fc.assert(
      fc.property(
        fc.bigInt(1n, 10n ** 20n),
        fc.constantFrom(...styles),
        fc.constantFrom("USDT", "MOB"),
        (units, style, asset) => {
          const text = formatAmount(units, asset);
          const field = readAmountInput(toFieldText(text, style), asset, style);
          expect(field.kind === "amount" && field.units).toBe(units);
          const shown = readAmountInput(formatDecimalText(text, style, 2), asset, style);
          expect(shown.kind === "amount" && shown.units).toBe(units);
        },
      ),
    );
  });
});

describe("number formats by locale", () => {
  it.each([
    ["en", "1,234,567.50"],
    ["de", "1.234.567,50"],
    ["fr", "1\u202f234\u202f567,50"],
    ["en-IN", "12,34,567.50"],
    ["es", "1.234.567,50"],
  ])("%s: %s, as Intl has it", (tag, shown) => {
    expect(formatDecimalText("1234567.5", toNumberStyle(tag), 2)).toBe(shown);
    expect(new Intl.NumberFormat(tag, { minimumFractionDigits: 2 }).format(1_234_567.5)).toBe(shown);
  });

  it("groups four digits only in locales that do so", () => {
    expect(formatDecimalText("1234", toNumberStyle("es"))).toBe("1234");
    expect(formatDecimalText("1234", en)).toBe("1,234");
    expect(formatDecimalText("12345", toNumberStyle("es"))).toBe("12.345");
  });
});

describe("a price of MOB as it is typed or pasted", () => {
  it.each([
    ["0.5", "0.5"],
    ["0.5 USDT", "0.5"],
    ["$0.5", "0.5"],
    ["0.123456789012", "0.123456789012"],
    ["0,5", "0.5"],
  ])("reads %j as %s USDT", (typed, text) => {
    expect(readRateInput(typed, en)).toMatchObject({ kind: "amount", text });
  });

  it.each([
    ["", en, "Enter a price in USDT, such as 0.5."],
    ["0.5 MOB", en, "Enter a price in USDT, such as 0.5."],
    ["zehn", de, "Enter a price in USDT, such as 0,5."],
    ["0", en, "Enter a price above zero."],
    ["0.1234567890123", en, "A price has at most 12 digits after the point."],
    ["0,1234567890123", de, "A price has at most 12 digits after the comma."],
  ])("says what is wrong with %j", (typed, style, message) => {
    expect(readRateInput(typed, style)).toEqual({ kind: "invalid", message });
  });
});
