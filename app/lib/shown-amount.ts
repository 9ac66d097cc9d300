/** Amounts as screens show them. */
import { type AssetSymbol, assets } from "./assets";
import { formatAmount } from "./money";
import { formatDecimalText, type NumberStyle } from "./number-style";

/** All of its digits, at least two after the sign: "250.00". */
export function showExactly(amount: string, style: NumberStyle): string {
  return formatDecimalText(amount, style, 2);
}

/** As `showExactly`, with the asset's symbol: held together, unless so long that a phone has no line for it. */
export function showMoney(amount: string, asset: AssetSymbol, style: NumberStyle): string {
  const shown = showExactly(amount, style);
  return `${shown}${shown.length > 12 ? " " : "\u00a0"}${asset}`;
}

/** Rounded down to what an eye can hold, for what is only about right: 2 decimals of USDT, 4 of MOB. */
export function toRoughAmount(units: bigint, asset: AssetSymbol): string {
  const cut = 10n ** BigInt(assets[asset].decimals - (asset === "USDT" ? 2 : 4));
  const rough = (units / cut) * cut;
  return formatAmount(rough === 0n ? units : rough, asset);
}

/** A rate of 12 decimals cut to five figures that count, so that rates stand evenly: "2.860000123456" → "2.8600". */
export function toRoughRate(rate: string): string {
  const [whole = "0", fraction = ""] = rate.split(".");
  const zeros = whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : -whole.length;
  const digits = Math.max(2, zeros + 5);
  return `${whole}.${fraction.slice(0, digits).padEnd(digits, "0")}`;
}
