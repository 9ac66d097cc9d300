import { toAmountParam, toFieldText } from "./amount-input";
import { type AssetSymbol, isAssetSymbol, otherAsset } from "./assets";
import type { NumberStyle } from "./number-style";
import { paths } from "./paths";

/** What the calculator shows: an amount to send, as the text of its field. */
export type Calculation = { source: AssetSymbol; text: string };

/** A text that is the same for equal calculations, because each load creates new objects. */
export const toCalculationKey = ({ source, text }: Calculation): string => `${source} ${text}`;

/** The calculation to start with. */
export const firstCalculation: Calculation = { source: "USDT", text: "250" };

/** The swap form with this amount. */
export function toCalculatedPath({ source, text }: Calculation, style: NumberStyle): string {
  return paths.direction(source, { amount: toAmountParam(text, source, style) });
}

/** The calculation for a path that leads to a swap; null for other paths and for an amount to receive. */
export function readCalculatedPath(path: string | null, style: NumberStyle): Calculation | null {
  if (path === null || path === paths.swap || path === paths.home) return firstCalculation;
  const { pathname, searchParams } = new URL(path, "https://antelope.invalid");
  const source = (["USDT", "MOB"] as const).find((symbol) => paths.direction(symbol) === pathname);
  if (!source || searchParams.get("side") === "target") return null;
  const amount = (searchParams.get("amount") ?? "").slice(0, 40);
  return { source, text: amount === "" ? toDefault(source) : toFieldText(amount, style) };
}

/** The calculation that the form put in the URL; null if there is none. */
export function readCalculatorForm(params: URLSearchParams): Calculation | null {
  const source = params.get("source");
  const text = params.get("amount");
  if (!isAssetSymbol(source) || text === null) return null;
  return { source, text: text.slice(0, 64) };
}

function toDefault(source: AssetSymbol): string {
  return source === "USDT" ? firstCalculation.text : "700";
}

/** The other direction, with a rounded amount of what the swap would have paid out. */
export function toFlipped(source: AssetSymbol, derived: string): Calculation {
  return { source: otherAsset(source), text: derived === "" ? toDefault(otherAsset(source)) : derived };
}
