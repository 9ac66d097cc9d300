/**
 * Amounts and rates. Inside the code they are bigint base units (micro-USDT, pico-MOB), in the API
 * decimal strings, and never JavaScript numbers. The names of functions that round say in which direction.
 */
import { type AssetSymbol, assets, type Direction } from "./assets";
import { trimZeros } from "./trim-zeros";

/** ASCII digits, at most 15 before the point; no sign, exponent or leading zero (T42). */
export const decimalPattern = /^(0|[1-9][0-9]{0,14})(?:\.([0-9]{1,12}))?$/;

/** Thrown if a text is not an amount: it is malformed, or has more decimals than the asset. */
export class AmountError extends Error {
  override name = "AmountError";
}

/**
 * Parses a decimal string to base units. Never rounds: more than `decimals` digits after the point
 * are an error (viem's parseUnits rounds them).
 *
 * @example parseDecimal("250.5", 6) // 250500000n
 * @throws AmountError
 */
export function parseDecimal(text: string, decimals: number): bigint {
  const match = text.length <= 32 ? decimalPattern.exec(text) : null;
  if (!match) throw new AmountError("Enter an amount such as 250 or 250.5.");
  const [, whole = "0", fraction = ""] = match;
  if (fraction.length > decimals) throw new AmountError(`Enter at most ${decimals} digits after the point.`);
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}

/** Parses a decimal string to base units of the asset. @throws AmountError */
export function parseAmount(text: string, asset: AssetSymbol): bigint {
  return parseDecimal(text, assets[asset].decimals);
}

/**
 * Formats base units as a decimal string without trailing zeros.
 *
 * @example formatDecimal(250500000n, 6) // "250.5"
 */
export function formatDecimal(units: bigint, decimals: number): string {
  const sign = units < 0n ? "-" : "";
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals === 0 ? "" : trimZeros(digits.slice(-decimals));
  return sign + whole + (fraction && `.${fraction}`);
}

/** Formats base units of the asset as a decimal string without trailing zeros. */
export function formatAmount(units: bigint, asset: AssetSymbol): string {
  return formatDecimal(units, assets[asset].decimals);
}

/** floor(a × b / c) for a, b ≥ 0 and c > 0. @throws RangeError if c is 0 */
function mulDivFloor(a: bigint, b: bigint, c: bigint): bigint {
  return (a * b) / c;
}

/** ceil(a × b / c) for a, b ≥ 0 and c > 0. @throws RangeError if c is 0 */
export function mulDivCeil(a: bigint, b: bigint, c: bigint): bigint {
  return (a * b + c - 1n) / c;
}

/** Rates are integers with 12 decimals: units of the target asset per 1 of the source asset. */
export const RATE_DECIMALS = 12;
const RATE_ONE = 10n ** 12n;

function scaleOf(source: AssetSymbol, target: AssetSymbol): { up: bigint; down: bigint } {
  return { up: 10n ** BigInt(assets[target].decimals), down: 10n ** BigInt(assets[source].decimals) * RATE_ONE };
}

/** A direction with its rate: target per 1 source, 12 decimals. */
export type Pair = Direction & { rate: bigint };

/** Converts source base units to target base units at the rate, rounded down. */
export function toTargetFloor(sourceUnits: bigint, { source, target, rate }: Pair): bigint {
  const { up, down } = scaleOf(source, target);
  return mulDivFloor(sourceUnits * rate, up, down);
}

/** The smallest number of source base units worth at least `targetUnits` at the rate. */
export function toSourceCeil(targetUnits: bigint, { source, target, rate }: Pair): bigint {
  const { up, down } = scaleOf(source, target);
  return mulDivCeil(targetUnits, down, up * rate);
}

/** The rate at which a source amount above 0 was worth a target amount, rounded down. */
export function toRateFloor(sourceUnits: bigint, targetUnits: bigint, { source, target }: Direction): bigint {
  const { up, down } = scaleOf(source, target);
  return mulDivFloor(targetUnits, down, sourceUnits * up);
}

/** The rate of the opposite direction, 1 / rate, rounded down in our favour. */
export function invertRateFloor(rate: bigint): bigint {
  return (RATE_ONE * RATE_ONE) / rate;
}

/** A share of `bps` basis points, rounded up. */
export function bpsCeil(units: bigint, bps: number): bigint {
  return mulDivCeil(units, BigInt(bps), 10_000n);
}
