/** Amounts as shown on screens. */
import { type AssetSymbol, assets } from "./assets";
import { formatAmount, parseAmount } from "./money";
import { formatDecimalText, type NumberStyle } from "./number-style";
import { trimZeros } from "./trim-zeros";

/** An amount with all its digits and at least two decimals: "250.00". */
export function formatExactly(amount: string, style: NumberStyle): string {
  return formatDecimalText(amount, style, 2);
}

/** An amount cut to the digits that matter (see `toShort`), with at least two decimals: "710.7044". */
export function formatShort(amount: string, style: NumberStyle): string {
  return formatExactly(toShort(amount), style);
}

/** A shortened amount with its asset: "710.7044 MOB". */
export function formatMoney(amount: string, asset: AssetSymbol, style: NumberStyle): string {
  return withAsset(formatShort(amount, style), asset);
}

/** All digits of an amount, with its asset, for amounts that are paid, copied or kept as a record. */
export function formatExactMoney(amount: string, asset: AssetSymbol, style: NumberStyle): string {
  return withAsset(formatExactly(amount, style), asset);
}

/** Short amounts do not wrap; long ones may, to fit a phone. */
function withAsset(shown: string, asset: AssetSymbol): string {
  return `${shown}${shown.length > 12 ? " " : "\u00a0"}${asset}`;
}

/** A fee with its asset. Rounded up, so that customers never pay more than was shown. */
export function formatFee(amount: string, asset: AssetSymbol, style: NumberStyle): string {
  const units = parseAmount(amount, asset);
  const shown = parseAmount(toShort(amount), asset);
  const step = 10n ** BigInt(assets[asset].decimals - countDecimals(amount));
  return formatMoney(formatAmount(shown === units ? units : shown + step, asset), asset, style);
}

const usdtDecimals = 6;
const shortDecimals = 4;

/**
 * Cuts an amount to four decimals, or four significant ones if it is below 1. Up to six decimals are kept if
 * there are no more, which is all that USDT has.
 */
function toShort(amount: string): string {
  const [whole = "0", fraction = ""] = amount.split(".");
  const cut = trimZeros(fraction.slice(0, countDecimals(amount)));
  return cut === "" ? whole : `${whole}.${cut}`;
}

function countDecimals(amount: string): number {
  const [whole = "0", fraction = ""] = amount.split(".");
  if (fraction.length <= usdtDecimals) return usdtDecimals;
  const zeros = /^0*/.exec(fraction)?.[0].length ?? 0;
  return whole === "0" ? zeros + shortDecimals : shortDecimals;
}

/** An approximate amount, rounded down to 2 decimals of USDT or 4 of MOB. Tiny amounts are kept in full. */
export function toRoughAmount(units: bigint, asset: AssetSymbol): string {
  const step = toRoughStep(asset);
  const rough = (units / step) * step;
  return formatAmount(rough === 0n ? units : rough, asset);
}

/** An approximate amount, rounded up to 2 decimals of USDT or 4 of MOB. */
export function toRoughAmountUp(units: bigint, asset: AssetSymbol): string {
  const step = toRoughStep(asset);
  return formatAmount(((units + step - 1n) / step) * step, asset);
}

function toRoughStep(asset: AssetSymbol): bigint {
  return 10n ** BigInt(assets[asset].decimals - (asset === "USDT" ? 2 : 4));
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

/** The change of a rate: "up 1.25%". @param share its change as a share of the earlier rate: 0.0125 */
export function formatChange(share: number, style: NumberStyle): string {
  const percent = `${formatDecimalText(Math.abs(share * 100).toFixed(2), style)}%`;
  if (Math.abs(share) < 0.00005) return "unchanged";
  return share > 0 ? `up ${percent}` : `down ${percent}`;
}
