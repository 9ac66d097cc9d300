/**
 * Money: bigint base units inside (micro-USDT, pico-MOB), decimal strings outside, never a
 * JavaScript number. The direction of every rounding stands in the function's name.
 */
import { type AssetSymbol, assets } from "./assets";

/** At most 15 digits before the point; ASCII only; no sign, no exponent, no leading zero (T42). */
const decimalPattern = /^(0|[1-9][0-9]{0,14})(?:\.([0-9]{1,12}))?$/;

/** Text that is no amount: of a wrong form, or with more decimals than the asset has. */
export class AmountError extends Error {
  readonly reason: "form" | "decimals";
  constructor(reason: "form" | "decimals", message: string) {
    super(message);
    this.name = "AmountError";
    this.reason = reason;
  }
}

/**
 * Reads a decimal string into base units. Refuses more decimals than there are, where
 * viem's parseUnits would round. @throws AmountError
 */
export function parseDecimal(text: string, decimals: number): bigint {
  const match = text.length <= 32 ? decimalPattern.exec(text) : null;
  if (!match) throw new AmountError("form", "Write an amount such as 250 or 250.5.");
  const [, whole = "0", fraction = ""] = match;
  if (fraction.length > decimals) throw new AmountError("decimals", `At most ${decimals} digits after the point.`);
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** As `parseDecimal`, with the decimals of the asset. @throws AmountError */
export function parseAmount(text: string, asset: AssetSymbol): bigint {
  return parseDecimal(text, assets[asset].decimals);
}

/** Base units as a decimal string without trailing zeros: 250500000n at 6 → "250.5". */
export function formatDecimal(units: bigint, decimals: number): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? "" : digits.slice(-decimals).replace(/0+$/, "");
  return sign + whole + (fraction && `.${fraction}`);
}

/** Base units of the asset as a decimal string. */
export function formatAmount(units: bigint, asset: AssetSymbol): string {
  return formatDecimal(units, assets[asset].decimals);
}

/** floor(a × b / c) for a, b ≥ 0 and c > 0. */
export function mulDivFloor(a: bigint, b: bigint, c: bigint): bigint {
  return (a * b) / c;
}

/** ceil(a × b / c) for a, b ≥ 0 and c > 0. */
export function mulDivCeil(a: bigint, b: bigint, c: bigint): bigint {
  return (a * b + c - 1n) / c;
}

/** Rates are target per 1 source with 12 decimals. */
export const RATE_DECIMALS = 12;
const RATE_ONE = 10n ** 12n;

function scaleOf(source: AssetSymbol, target: AssetSymbol): { up: bigint; down: bigint } {
  return { up: 10n ** BigInt(assets[target].decimals), down: 10n ** BigInt(assets[source].decimals) * RATE_ONE };
}

type Direction = { source: AssetSymbol; target: AssetSymbol; rate: bigint };

/** Source base units at the rate, in target base units, rounded down. */
export function toTargetFloor(sourceUnits: bigint, { source, target, rate }: Direction): bigint {
  const { up, down } = scaleOf(source, target);
  return mulDivFloor(sourceUnits * rate, up, down);
}

/** The least source base units that are worth at least `targetUnits` at the rate. */
export function toSourceCeil(targetUnits: bigint, { source, target, rate }: Direction): bigint {
  const { up, down } = scaleOf(source, target);
  return mulDivCeil(targetUnits, down, up * rate);
}

/** The rate of the other direction, rounded down (in the house's favour): 1 / rate. */
export function invertRateFloor(rate: bigint): bigint {
  return (RATE_ONE * RATE_ONE) / rate;
}

/** units × bps / 10,000, rounded up. */
export function bpsCeil(units: bigint, bps: number): bigint {
  return mulDivCeil(units, BigInt(bps), 10_000n);
}
