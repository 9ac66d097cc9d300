/**
 * Parses amounts as people type and paste them: "1,234.56", "1.234,56", "1 234,56 USDT", "250,5", "٢٥٠٫٥".
 * The browser uses it while the visitor types, and the server for the submitted form. It never
 * converts an amount to a JavaScript number.
 */
import { toAsciiDigits } from "./ascii-digits";
import { type AssetSymbol, assets } from "./assets";
import { formatDecimal, parseDecimal, RATE_DECIMALS } from "./money";
import { formatDecimalText, type NumberStyle } from "./number-style";
import { trimZeros } from "./trim-zeros";

export type AmountInput =
  | { kind: "empty" }
  | { kind: "invalid"; message: string }
  /** `text` is the amount in the API's format, `units` the same in base units. */
  | { kind: "amount"; text: string; units: bigint };

const maxLength = 64;
/** Digits that are not part of a number, such as the mark of a pasted footnote: "250¹" is not 2501. */
const otherDigits = /\p{No}/u;
/** Thousands separators of any language, except point and comma, and invisible characters of pasted text. */
const groupSeparators = /[\s'’_٬\p{Cf}]/gu;

/** Parses an amount of the asset in the visitor's number style. `message` is the error for the field. */
export function readAmountInput(typed: string, asset: AssetSymbol, style: NumberStyle): AmountInput {
  return readNumber(typed, {
    currency: asset,
    decimals: assets[asset].decimals,
    style,
    subject: asset,
    example: `an amount such as ${toExample(style)}`,
    positive: "an amount above zero",
  });
}

/** Parses the price of 1 MOB in USDT, as `readAmountInput` parses an amount. An empty field is invalid. */
export function readRateInput(typed: string, style: NumberStyle): Exclude<AmountInput, { kind: "empty" }> {
  const example = `a price in USDT, such as ${formatDecimalText("0.5", style)}`;
  const input = readNumber(typed, {
    currency: "USDT",
    decimals: RATE_DECIMALS,
    style,
    subject: "A price",
    example,
    positive: "a price above zero",
  });
  return input.kind === "empty" ? invalid(`Enter ${example}.`) : input;
}

/**
 * Describes a number in its error messages: "Enter `example`.", "Enter `positive`.", "`subject` has at most 6 digits …"
 */
type NumberField = {
  currency: AssetSymbol;
  decimals: number;
  style: NumberStyle;
  subject: string;
  example: string;
  positive: string;
};

function readNumber(
  typed: string,
  { currency, decimals, style, subject, example, positive }: NumberField,
): AmountInput {
  const bare = stripCurrency(typed.slice(0, maxLength), currency);
  if (bare === "") return { kind: "empty" };
  if (otherDigits.test(typed)) return invalid(`Enter ${example}.`);
  const [whole = "", fraction = ""] = toCanonical(bare, style)?.split(".") ?? [];
  if (fraction.length > decimals)
    return invalid(`${subject} has at most ${decimals} digits after the ${style.decimal === "," ? "comma" : "point"}.`);
  // It is not a number, or has more digits than any amount.
  if (!/^[0-9]{1,15}$/.test(whole)) return invalid(`Enter ${example}.`);
  const units = parseDecimal(`${whole}.${fraction || 0}`, decimals);
  if (units === 0n) return invalid(`Enter ${positive}.`);
  return { kind: "amount", text: formatDecimal(units, decimals), units };
}

function invalid(message: string): AmountInput & { kind: "invalid" } {
  return { kind: "invalid", message };
}

/** An amount for a URL: a plain decimal. Text that is not an amount stays as it is, so that the form can say why. */
export function toAmountParam(typed: string, asset: AssetSymbol, style: NumberStyle): string | null {
  const input = readAmountInput(typed, asset, style);
  return input.kind === "amount" ? input.text : typed || null;
}

/** Formats a decimal amount for a text field, in the visitor's style. Text that is not an amount stays as it is. */
export function toFieldText(amount: string, style: NumberStyle): string {
  return /^[0-9]+(\.[0-9]+)?$/.test(amount) ? formatDecimalText(amount, style) : amount;
}

function toExample(style: NumberStyle): string {
  return formatDecimalText("1250.5", style, 2);
}

/** Removes separators that are never decimal, and the currency of a pasted amount: "2 500 USDT" becomes "2500". */
function stripCurrency(typed: string, asset: AssetSymbol): string {
  return toAsciiDigits(typed.normalize("NFKC"))
    .replace(groupSeparators, "")
    .replace(new RegExp(`^(?:${asset}|\\$|₮)|(?:${asset}|\\$|₮)$`, "gi"), "");
}

/** Converts to a decimal point without thousands separators. Null if the text is ambiguous or malformed. */
function toCanonical(bare: string, style: NumberStyle): string | null {
  // The Arabic decimal separator is never a thousands separator.
  const text = bare.replace("٫", style.decimal);
  if (!/^[0-9.,]+$/.test(text)) return null;
  const found = text.replace(/[0-9]/g, "");
  const decimal = toDecimalSeparator(text, found, style);
  if (decimal === null) return null;
  const thousands = decimal === "," ? "." : ",";
  const [whole = "", fraction = "", ...more] = decimal === "" ? [text] : text.split(decimal);
  if (more.length > 0 || fraction.includes(thousands) || !isGrouped(whole, thousands)) return null;
  const digits = whole.replaceAll(thousands, "").replace(/^0+(?=[0-9])/, "") || "0";
  const trimmed = trimZeros(fraction);
  return trimmed === "" ? digits : `${digits}.${trimmed}`;
}

/** Finds the decimal separator: "" if there is none, null if it is ambiguous. */
function toDecimalSeparator(text: string, separators: string, style: NumberStyle): "." | "," | "" | null {
  if (separators === "") return "";
  const last = separators.slice(-1) as "." | ",";
  const kinds = new Set(separators);
  // Both kinds: the last one is the decimal separator, and must occur once.
  if (kinds.size === 2) return separators.split(last).length === 2 ? last : null;
  // One kind, several times: a thousands separator.
  if (separators.length > 1) return last === "," ? "." : ",";
  // A single separator: "1.500" follows the visitor's own style, and is ambiguous if that style does not use the
  // separator.
  if (last === style.decimal || !/^[1-9][0-9]{0,2}[.,][0-9]{3}$/.test(text)) return last;
  return last === style.group ? (last === "," ? "." : ",") : null;
}

function isGrouped(whole: string, separator: string): boolean {
  if (!whole.includes(separator)) return true;
  // Groups of three digits, or the Indian system with groups of two before the last one.
  const [first = "", ...others] = whole.split(separator);
  const last = others.at(-1) ?? "";
  const between = others.slice(0, -1);
  return /^[0-9]{1,3}$/.test(first) && last.length === 3 && between.every((g) => g.length === 3 || g.length === 2);
}
