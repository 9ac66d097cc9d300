/**
 * Amounts as people type and paste them: "1,234.56", "1.234,56", "1 234,56 USDT", "250,5". The
 * same function reads them in the browser while they are typed and on the server when they
 * arrive, so both say the same. No number ever becomes a float.
 */
import { type AssetSymbol, assets } from "./assets";
import { AmountError, formatDecimal, parseDecimal } from "./money";
import { formatDecimalText, type NumberStyle } from "./number-style";

export type AmountInput =
  | { kind: "empty" }
  | { kind: "wrong"; message: string }
  /** `text` is the amount as the API wants it, `units` the same in base units. */
  | { kind: "amount"; text: string; units: bigint };

const longest = 64;
/** Everything that some language puts between thousands; points and commas are looked at apart. */
const spaces = /[\s\u00a0\u2009\u202f'’_]/gu;

/**
 * What was typed, in the visitor's own style, as an amount of this asset; what is wrong is said in words for the
 * field.
 */
export function readAmountInput(typed: string, asset: AssetSymbol, style: NumberStyle): AmountInput {
  const bare = stripWords(typed.slice(0, longest), asset);
  if (bare === "") return { kind: "empty" };
  const { decimals } = assets[asset];
  const canonical = toCanonical(bare, style);
  if (canonical === null) return { kind: "wrong", message: `Write an amount such as ${example(style)}.` };
  const [, fraction = ""] = canonical.split(".");
  try {
    if (fraction.length > decimals) throw new AmountError("decimals", "Too many decimals.");
    const units = parseDecimal(canonical, decimals);
    if (units === 0n) return { kind: "wrong", message: "Write an amount above zero." };
    return { kind: "amount", text: formatDecimal(units, decimals), units };
  } catch (error) {
    if (!(error instanceof AmountError)) throw error;
    const message =
      error.reason === "decimals"
        ? `${asset} has at most ${decimals} digits after the ${style.decimal === "," ? "comma" : "point"}.`
        : `Write an amount such as ${example(style)}.`;
    return { kind: "wrong", message };
  }
}

/** An amount for a field: as the visitor writes it, without thousands signs that would be in the way of typing. */
export function toFieldText(amount: string, style: NumberStyle): string {
  return amount.replace(".", style.decimal);
}

function example(style: NumberStyle): string {
  return formatDecimalText("1250.5", style, 2);
}

/** A pasted "250 USDT" or "$250" means 250. */
function stripWords(typed: string, asset: AssetSymbol): string {
  return typed
    .normalize("NFKC")
    .trim()
    .replace(new RegExp(`^(?:${asset}|\\$|₮)\\s*|\\s*(?:${asset}|\\$|₮)$`, "giu"), "")
    .trim();
}

/** With a point and nothing between thousands, or null where it cannot be told what is meant. */
function toCanonical(bare: string, style: NumberStyle): string | null {
  const text = bare.replace(spaces, "");
  if (!/^[0-9.,]+$/.test(text)) return null;
  const signs = text.replace(/[0-9]/g, "");
  const decimal = toDecimalSign(text, signs, style);
  if (decimal === null) return null;
  const thousands = decimal === "," ? "." : ",";
  const [whole = "", fraction = "", ...more] = decimal === "" ? [text] : text.split(decimal);
  if (more.length > 0 || fraction.includes(thousands) || !isGrouped(whole, thousands)) return null;
  const digits = whole.replaceAll(thousands, "").replace(/^0+(?=[0-9])/, "") || "0";
  const kept = fraction.replace(/0+$/, "");
  return kept === "" ? digits : `${digits}.${kept}`;
}

/** Which sign stands before the fraction: "" where none does, null where it cannot be told. */
function toDecimalSign(text: string, signs: string, style: NumberStyle): "." | "," | "" | null {
  if (signs === "") return "";
  const last = signs.slice(-1) as "." | ",";
  const kinds = new Set(signs);
  // Both: the last one is the decimal sign, and it stands once.
  if (kinds.size === 2) return signs.split(last).length === 2 ? last : null;
  // One kind, several times: it parts thousands.
  if (signs.length > 1) return last === "," ? "." : ",";
  // One sign alone: "1.500" is what the visitor's own language says it is.
  const isThousands = last === style.group && /^[0-9]{1,3}[.,][0-9]{3}$/.test(text) && !text.startsWith("0");
  return isThousands ? (last === "," ? "." : ",") : last;
}

function isGrouped(whole: string, sign: string): boolean {
  if (!whole.includes(sign)) return true;
  // Thousands, or the lakhs of India.
  const [first = "", ...others] = whole.split(sign);
  const last = others.at(-1) ?? "";
  const between = others.slice(0, -1);
  return /^[0-9]{1,3}$/.test(first) && last.length === 3 && between.every((g) => g.length === 3 || g.length === 2);
}
