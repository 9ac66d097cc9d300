import type { AssetSymbol } from "~/lib/assets";
import { formatExactMoney, formatMoney } from "~/lib/shown-amount";
import { useLocale } from "./use-locale";

type Props = { amount: string; asset: AssetSymbol };

/** A shortened amount. Pointing at it shows all its digits, which are also in the swap's details and on its receipt. */
export function Money({ amount, asset }: Props) {
  const { numbers } = useLocale();
  const short = formatMoney(amount, asset, numbers);
  const exact = formatExactMoney(amount, asset, numbers);
  return (
    <data value={amount} title={short === exact ? undefined : exact} translate="no">
      {short}
    </data>
  );
}
