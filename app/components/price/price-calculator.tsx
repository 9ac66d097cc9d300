import { Form } from "@remix-run/react";
import { type ReactNode, useEffect } from "react";
import type { CurrentRates } from "~/api/contract";
import { saveInHistoryEntry } from "~/browser/save-in-history-entry";
import { useKeepTyped } from "~/browser/use-keep-typed";
import { CoinName } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { Worth } from "~/components/locale/worth";
import { type AssetSymbol, otherAsset } from "~/lib/assets";
import { type Calculation, toFlipped } from "~/lib/calculation";
import { paths } from "~/lib/paths";
import { formatChange } from "~/lib/shown-amount";
import type { Sparkline } from "~/lib/sparkline";
import { useRootData } from "~/loaded-data/root-data";
import { text } from "~/styles/text.css";
import { AmountField } from "~/ui/amount-field";
import { DataList } from "~/ui/data-list";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { toCostRows } from "./cost-rows";
import { Legs } from "./legs";
import * as styles from "./price-calculator.css";
import { NoPriceNote } from "./price-notes";
import { useSwapAmounts } from "./use-swap-amounts";

export type PriceCalculatorProps = {
  title: string;
  calculation: Calculation;
  /** From `useLiveRates`. */
  rates: CurrentRates;
  chart: Sparkline | null;
  /** The page that reads the form: `source` and `amount` in its URL. */
  action: string;
  /** The same page with the other direction. */
  toPath(calculation: Calculation): string;
  /** Called with the amount in the field, initially and whenever it changes. */
  onAmount?(text: string): void;
  /** For a customer with addresses: the form requests the binding price at once. */
  quoteWith?: { delivery: string; refund: string } | undefined;
  /** The button or buttons that submit the form. */
  children: ReactNode;
};

/**
 * What a swap costs and yields now: an amount, its direction, fee, rate and result. Live with JavaScript; without it,
 * the form loads the page again. Use a `key` that changes with the calculation.
 */
export function PriceCalculator(props: PriceCalculatorProps) {
  const { title, calculation, rates, chart, action, toPath, onAmount, quoteWith, children } = props;
  const { numbers } = useLocale();
  const { source } = calculation;
  const target = otherAsset(source);
  const direction = { source, target };
  const amounts = useSwapAmounts({ side: "source", text: calculation.text }, direction, rates);
  const { pair, error, receive } = amounts;
  const typed = amounts.texts.source;
  useEffect(() => onAmount?.(typed), [onAmount, typed]);
  const [keepers, keepNow] = useKeepTyped(() => saveInHistoryEntry(toPath({ source, text: typed })));
  const price = error ? null : amounts.price;
  const costs = toCostRows(source, { pair, price, rates }, numbers);
  const hasValues = Boolean(useRootData()?.currency);
  const toHint = (asset: AssetSymbol, amount = 0n) =>
    hasValues ? <Worth amount={amount} asset={asset} pair={pair} /> : undefined;
  return (
    <Form
      method={quoteWith ? "post" : "get"}
      action={quoteWith ? paths.direction(source) : action}
      replace={!quoteWith}
      {...keepers}
      onSubmit={quoteWith && keepNow}
      noValidate
    >
      {Object.entries(quoteWith ? { ...quoteWith, intent: "quote", side: "source" } : { source }).map(
        ([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ),
      )}
      <Stack gap={3}>
        <h2 className={text.heading}>{title}</h2>
        {pair === null ? <NoPriceNote /> : null}
        <Legs
          source={
            <AmountField
              ref={amounts.refs.source}
              label="You send"
              name={quoteWith ? "source" : "amount"}
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
          flipTo={toPath(toFlipped(calculation, receive))}
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
