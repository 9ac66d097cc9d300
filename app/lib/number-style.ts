import { memoize } from "./memoize";

/**
 * How numbers are written in the visitor's language. The server reads it from Intl and sends it to the
 * browser as data, so that both render the same page even with different ICU versions. Amounts stay
 * strings throughout.
 */
export type NumberStyle = {
  decimal: string;
  group: string;
  /** The number of digits in the last group and in the others: 3 and 3, or 3 and 2 in India. */
  groups: readonly [last: number, others: number];
  /** The digits required before the first separator: 2 in Spain, which writes 1234 but 12.345. */
  minGroupingDigits: number;
};

export const plainNumberStyle: NumberStyle = { decimal: ".", group: ",", groups: [3, 3], minGroupingDigits: 1 };

/**
 * The style of a language tag that Intl supports. Digits are always 0 to 9. Cached, because every request needs one,
 * and Intl takes a tenth of a millisecond to create it.
 */
export const toNumberStyle = /* @__PURE__ */ memoize(readNumberStyle);

function readNumberStyle(tag: string): NumberStyle {
  const format = new Intl.NumberFormat(tag, { numberingSystem: "latn", maximumFractionDigits: 1 });
  const parts = format.formatToParts(1_234_567_890.5);
  const whole = parts.filter(({ type }) => type === "integer").map(({ value }) => value.length);
  const group = parts.find(({ type }) => type === "group")?.value;
  const decimal = parts.find(({ type }) => type === "decimal")?.value ?? plainNumberStyle.decimal;
  if (group === undefined) return { decimal, group: "", groups: [3, 3], minGroupingDigits: 1 };
  const isGrouped = format.formatToParts(1234).some(({ type }) => type === "group");
  return { decimal, group, groups: [whole.at(-1) ?? 3, whole.at(-2) ?? 3], minGroupingDigits: isGrouped ? 1 : 2 };
}

/** A decimal string such as "1234567.5" in the visitor's style, padded to `minFraction` decimals and never rounded. */
export function formatDecimalText(text: string, style: NumberStyle, minFraction = 0): string {
  const [whole = "0", fraction = ""] = text.split(".");
  const shown = fraction.padEnd(minFraction, "0");
  return group(whole, style) + (shown === "" ? "" : style.decimal + shown);
}

function group(digits: string, { group: separator, groups: [last, others], minGroupingDigits }: NumberStyle): string {
  if (separator === "" || digits.length < last + minGroupingDigits) return digits;
  const pieces = [digits.slice(-last)];
  for (let end = digits.length - last; end > 0; end -= others)
    pieces.unshift(digits.slice(Math.max(0, end - others), end));
  return pieces.join(separator);
}
