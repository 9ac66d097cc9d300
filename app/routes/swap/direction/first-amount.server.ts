import { assets, type Direction } from "~/lib/assets";
import { formatAmount } from "~/lib/money";
import { toSourceLimits } from "~/lib/price";
import { type PublishedRates, toPair, toPriceTerms } from "~/lib/published-rates";

/** The amount in a new form: 250 USDT, or MOB worth about 100 USDT, rounded up to one significant digit. */
export function toFirstAmount(direction: Direction, rates: PublishedRates): string {
  if (direction.source === "USDT") return "250";
  const pair = toPair(direction, rates);
  if (!pair) return "500";
  const { min } = toSourceLimits(pair, toPriceTerms(rates));
  const minUsdt = Number.parseInt(rates.limits.min_usdt, 10) || 1;
  const worth = (min * 100n) / BigInt(minUsdt);
  const one = 10n ** BigInt(assets.MOB.decimals);
  const whole = worth / one;
  if (whole === 0n) return formatAmount(min, "MOB");
  const size = 10n ** BigInt(whole.toString().length - 1);
  return formatAmount((whole / size + 1n) * size * one, "MOB");
}
