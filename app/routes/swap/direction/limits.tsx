import { useHydrated } from "remix-utils/use-hydrated";
import { useLocale } from "~/components/locale/use-locale";
import { toFieldText } from "~/lib/amount-input";
import { type AssetSymbol, assets, type Direction } from "~/lib/assets";
import { formatAmount } from "~/lib/money";
import { formatDecimalText } from "~/lib/number-style";
import { toSourceLimits } from "~/lib/price";
import { type PublishedRates, toPair, toPriceTerms } from "~/lib/published-rates";
import * as styles from "./limits.css";

type Props = { direction: Direction; rates: PublishedRates; onPick: (fieldText: string) => void };

/** The smallest and the largest amount, as buttons that fill in the field. */
export function Limits({ direction, rates, onPick }: Props) {
  const { numbers } = useLocale();
  const hydrated = useHydrated();
  const pair = toPair(direction, rates);
  if (!pair) return null;
  const limits = toSourceLimits(pair, toPriceTerms(rates));
  const both = [
    { label: "min", amount: toRoundAmount(limits.min, direction.source, "up") },
    { label: "max", amount: toRoundAmount(limits.max, direction.source, "down") },
  ];
  return (
    <span className={styles.limits}>
      {both.map(({ label, amount }) => (
        <button
          key={label}
          type="button"
          disabled={!hydrated}
          className={styles.limit}
          onClick={() => onPick(toFieldText(amount, numbers))}
        >
          {`${label} ${formatDecimalText(amount, numbers)}`}
        </button>
      ))}
    </span>
  );
}

/** MOB limits move with the rate: rounding them inwards to one decimal keeps them valid for a while. */
function toRoundAmount(units: bigint, asset: AssetSymbol, rounding: "up" | "down"): string {
  if (asset === "USDT") return formatAmount(units, asset);
  const step = 10n ** BigInt(assets[asset].decimals - 1);
  const steps = rounding === "up" ? units / step + 1n : units / step;
  return formatAmount(steps * step, asset);
}
