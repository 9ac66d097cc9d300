import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { CurrentRates } from "~/api/contract";
import { saveInHistoryEntry } from "~/browser/save-in-history-entry";
import { useKeepTyped } from "~/browser/use-keep-typed";
import { CoinName } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { Worth } from "~/components/locale/worth";
import { type AssetSymbol, otherAsset } from "~/lib/assets";
import { type Calculation, toFlipped } from "~/lib/calculation";
import { formatChange } from "~/lib/shown-amount";
import type { Sparkline } from "~/lib/sparkline";
import { useRootData } from "~/loaded-data/root-data";
import { text } from "~/styles/text.css";
import { AmountField } from "~/ui/amount-field";
import { DataList } from "~/ui/data-list";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import type { CalculatorForm } from "./calculator-form";
import { toCostRows } from "./cost-rows";
import { Legs } from "./legs";
import * as styles from "./price-calculator.css";
import { NoPriceNote } from "./price-notes";
import { useSwapAmounts } from "./use-swap-amounts";
import type { TypedState } from "./use-typed-amounts";

export type PriceCalculatorProps = {
  title: string;
  source: AssetSymbol;
  /** From `useTypedCalculation`. */
  typed: TypedState;
  /** From `useLiveRates`. */
  rates: CurrentRates;
  chart: Sparkline | null;
  form: CalculatorForm;
  /** The path of the page that shows this calculation. */
  toPath(calculation: Calculation): string;
  /** The button or buttons that submit the form. */
  children: ReactNode;
};

/**
 * What a swap costs and yields now: an amount, its direction, fee, rate and result. Live with JavaScript; without it,
 * the form loads the page again. Use a `key` that changes with the calculation.
 */
export function PriceCalculator(props: PriceCalculatorProps) {
  const { title, source, rates, chart, form, toPath, children } = props;
  const { numbers } = useLocale();
  const target = otherAsset(source);
  const direction = { source, target };
  const amounts = useSwapAmounts(props.typed, direction, rates);
  const { pair, error, receive } = amounts;
  const typed = amounts.texts.source;
  const [keepers, keepNow] = useKeepTyped(() => saveInHistoryEntry(toPath({ source, text: typed })));
  const price = error ? null : amounts.price;
  const costs = toCostRows(source, { pair, price, rates }, numbers);
  const hasValues = Boolean(useRootData()?.currency);
  const toHint = (asset: AssetSymbol, amount = 0n) =>
    hasValues ? <Worth amount={amount} asset={asset} pair={pair} /> : undefined;
  const opensPage = form.method === "get";
  return (
    <Form
      method={form.method}
      action={form.action}
      replace={opensPage}
      {...keepers}
      onSubmit={opensPage ? undefined : keepNow}
      noValidate
    >
      {Object.entries(form.fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Stack gap={3}>
        <h2 className={text.heading}>{title}</h2>
        {pair === null ? <NoPriceNote /> : null}
        <Legs
          source={
            <AmountField
              ref={amounts.refs.source}
              label="You send"
              name={form.amountName}
              value={typed}
              onChange={(event) => amounts.type("source", event.currentTarget.value)}
              maxLength={64}
              placeholder="0"
              error={error}
              hint={toHint(source, price?.sourceAmount)}
              coin={<CoinName asset={source} />}
            />
          }
          target={
            <AmountField
              ref={amounts.refs.target}
              label="You receive about"
              value={receive}
              readOnly
              placeholder="–"
              hint={toHint(target, price?.targetAmount)}
              coin={<CoinName asset={target} />}
            />
          }
          direction={direction}
          flipTo={toPath(toFlipped(source, receive))}
        />
        <LiveRegion>{amounts.announcement || error}</LiveRegion>
        <DataList rows={[costs.fee, costs.rate, costs.arrival]} />
        {costs.feeExplanation ? <p className={`${text.small} ${text.muted}`}>{costs.feeExplanation}</p> : null}
        {children}
        {chart ? <PriceHistory chart={chart} /> : null}
      </Stack>
    </Form>
  );
}

function PriceHistory({ chart: { line, change } }: { chart: Sparkline }) {
  const { numbers } = useLocale();
  return (
    <Row gap={3} className={styles.history}>
      <svg className={styles.chart} viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true">
        <path d={line} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className={`${text.small} ${text.muted}`}>MOB {formatChange(change, numbers)} in 24 hours</span>
    </Row>
  );
}
