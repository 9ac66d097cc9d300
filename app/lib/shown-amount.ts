/** Amounts as shown on screens. */
import { type AssetSymbol, assets } from "./assets";
import { formatAmount } from "./money";
import { formatDecimalText, type NumberStyle } from "./number-style";

/** An amount with all its digits and at least two decimals: "250.00". */
export function formatExactly(amount: string, style: NumberStyle): string {
  return formatDecimalText(amount, style, 2);
}

/** An amount with its asset: "250.00 USDT". Short ones do not wrap; long ones may, to fit a phone. */
export function formatMoney(amount: string, asset: AssetSymbol, style: NumberStyle): string {
  const shown = formatExactly(amount, style);
  return `${shown}${shown.length > 12 ? " " : "\u00a0"}${asset}`;
}

/** An approximate amount, rounded down to 2 decimals of USDT or 4 of MOB. Tiny amounts are kept in full. */
export function toRoughAmount(units: bigint, asset: AssetSymbol): string {
  const cut = 10n ** BigInt(assets[asset].decimals - (asset === "USDT" ? 2 : 4));
  const rough = (units / cut) * cut;
  return formatAmount(rough === 0n ? units : rough, asset);
}

const rateDigits = 5;

/** A rate cut to five significant digits, zeros at the end included: "0.350000123456" → "0.35000". */
export function formatRate(rate: string, style: NumberStyle): string {
  const [whole = "0", fraction = ""] = rate.split(".");
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  const decimals = whole === "0" ? zeros + rateDigits : Math.max(0, rateDigits - whole.length);
  const cut = fraction.slice(0, decimals).padEnd(decimals, "0");
  return formatDecimalText(decimals > 0 ? `${whole}.${cut}` : whole, style);
}
