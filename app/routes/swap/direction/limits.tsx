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
  const both = {
    min: toRoundAmount(limits.min, direction.source, 1n),
    max: toRoundAmount(limits.max, direction.source, 0n),
  };
  return (
    <span className={styles.limits}>
      {Object.entries(both).map(([label, amount]) => {
        const shown = `${label} ${formatDecimalText(amount, numbers)}`;
        return (
          <button
            key={label}
            type="button"
            aria-label={`Enter ${shown}`}
            disabled={!hydrated}
            className={styles.limit}
            onClick={() => onPick(toFieldText(amount, numbers))}
          >
            {shown}
          </button>
        );
      })}
    </span>
  );
}

/**
 * MOB limits move with the rate: rounding them inwards to one decimal keeps them valid for a while.
 * @param extraSteps what to add to the amount after it is rounded down
 */
function toRoundAmount(units: bigint, asset: AssetSymbol, extraSteps: bigint): string {
  if (asset === "USDT") return formatAmount(units, asset);
  const step = 10n ** BigInt(assets[asset].decimals - 1);
  return formatAmount((units / step + extraSteps) * step, asset);
}
