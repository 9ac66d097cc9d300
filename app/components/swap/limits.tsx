import { useHydrated } from "remix-utils/use-hydrated";
import { useLocale } from "~/components/locale/use-locale";
import { toFieldText } from "~/lib/amount-input";
import { type AssetSymbol, assets } from "~/lib/assets";
import { type Direction, limitsInSource, type PublishedRates } from "~/lib/indicative-price";
import { formatAmount } from "~/lib/money";
import { formatDecimalText } from "~/lib/number-style";
import * as styles from "./swap.css";

type Props = { direction: Direction; rates: PublishedRates; onPick: (fieldText: string) => void };

/** The least and the most of a swap; pressed, they fill the field. */
export function Limits({ direction, rates, onPick }: Props) {
  const { numbers } = useLocale();
  const hydrated = useHydrated();
  const limits = limitsInSource(direction, rates);
  if (!limits) return null;
  const both = [
    { word: "min", amount: toRound(limits.least, direction.source, "up") },
    { word: "max", amount: toRound(limits.most, direction.source, "down") },
  ];
  return (
    <span className={styles.limits}>
      {both.map(({ word, amount }) => {
        const words = `${word} ${formatDecimalText(amount, numbers)}`;
        return (
          <button
            key={word}
            type="button"
            disabled={!hydrated}
            className={styles.limit}
            onClick={() => onPick(toFieldText(amount, numbers))}
          >
            {words}
          </button>
        );
      })}
    </span>
  );
}

/** MOB limits follow the rate: cut to whole digits on the safe side, so that they stay right for a while. */
function toRound(units: bigint, asset: AssetSymbol, way: "up" | "down"): string {
  if (asset === "USDT") return formatAmount(units, asset);
  const step = 10n ** BigInt(assets[asset].decimals - 1);
  const steps = way === "up" ? units / step + 1n : units / step;
  return formatAmount(steps * step, asset);
}
