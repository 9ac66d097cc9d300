import type { CurrentRates } from "~/api/contract";
import { useRootData } from "~/browser/root-data";
import { useLocale } from "~/components/locale/use-locale";
import { Worth } from "~/components/locale/worth";
import type { Calculation } from "~/components/price/calculator-target";
import { readAmountInput } from "~/lib/amount-input";
import { otherAsset } from "~/lib/assets";
import { findPriceProblem, toPrice } from "~/lib/price";
import { toPair, toPriceTerms } from "~/lib/published-rates";
import { text as textStyles } from "~/styles/text.css";

/** The approximate value of both amounts of the calculator. */
export function CalculatedWorth({ source, text, rates }: Calculation & { rates: CurrentRates }) {
  const { numbers } = useLocale();
  const hasCurrency = Boolean(useRootData()?.currency);
  const target = otherAsset(source);
  const pair = toPair({ source, target }, rates);
  const input = readAmountInput(text, source, numbers);
  if (!hasCurrency || pair === null || input.kind !== "amount") return null;
  const terms = toPriceTerms(rates);
  const price = toPrice({ side: "source", amount: input.units }, pair, terms);
  if (findPriceProblem(price, pair, terms)) return null;
  return (
    <p className={`${textStyles.small} ${textStyles.muted}`}>
      You send <Worth amount={price.sourceAmount} asset={source} pair={pair} /> and receive{" "}
      <Worth amount={price.targetAmount} asset={target} pair={pair} />
    </p>
  );
}
