/**
 * How numbers are written where the visitor lives. The style is read out of Intl once, on the
 * server, and handed to the browser as data: two versions of ICU need not agree on anything
 * for the page to be the same on both sides, and amounts stay strings all the way.
 */
export type NumberStyle = {
  decimal: string;
  group: string;
  /** Digits of the last group and of those before it: 3 and 3, in India 3 and 2. */
  groups: readonly [last: number, others: number];
  /** Digits before the last group that are needed to set one apart: in Spain 2, so 1234 and 12.345. */
  leastBefore: number;
};

export const plainNumberStyle: NumberStyle = { decimal: ".", group: ",", groups: [3, 3], leastBefore: 1 };

/** The style of a language tag that Intl knows. Figures are always 0 to 9. */
export function toNumberStyle(tag: string): NumberStyle {
  const format = new Intl.NumberFormat(tag, { numberingSystem: "latn", maximumFractionDigits: 1 });
  const parts = format.formatToParts(1_234_567_890.5);
  const whole = parts.filter(({ type }) => type === "integer").map(({ value }) => value.length);
  const group = parts.find(({ type }) => type === "group")?.value;
  const decimal = parts.find(({ type }) => type === "decimal")?.value ?? plainNumberStyle.decimal;
  if (group === undefined) return { decimal, group: "", groups: [3, 3], leastBefore: 1 };
  const isGrouped = format.formatToParts(1234).some(({ type }) => type === "group");
  return { decimal, group, groups: [whole.at(-1) ?? 3, whole.at(-2) ?? 3], leastBefore: isGrouped ? 1 : 2 };
}

/** "1234567.5" as the visitor writes it, with at least `leastFraction` digits after the sign; nothing is rounded. */
export function formatDecimalText(text: string, style: NumberStyle, leastFraction = 0): string {
  const [whole = "0", fraction = ""] = text.split(".");
  const shown = fraction.padEnd(leastFraction, "0");
  return group(whole, style) + (shown === "" ? "" : style.decimal + shown);
}

function group(digits: string, { group: sign, groups: [last, others], leastBefore }: NumberStyle): string {
  if (sign === "" || digits.length < last + leastBefore) return digits;
  const pieces = [digits.slice(-last)];
  for (let end = digits.length - last; end > 0; end -= others)
    pieces.unshift(digits.slice(Math.max(0, end - others), end));
  return pieces.join(sign);
}
