import { Form, Link } from "@remix-run/react";
import type { ReactNode } from "react";
import type { CurrentRates } from "~/api/contract";
import { CoinName } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { toFeeRow } from "~/components/order/fee-row";
import { otherAsset } from "~/lib/assets";
import { formatSwapTime } from "~/lib/durations";
import { describeFee } from "~/lib/fee";
import { formatBps } from "~/lib/format-bps";
import { formatAmount, formatDecimal, RATE_DECIMALS } from "~/lib/money";
import { formatDecimalText } from "~/lib/number-style";
import { paths } from "~/lib/paths";
import { toPair, toPriceTerms } from "~/lib/published-rates";
import { formatRate } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { AmountField } from "~/ui/amount-field";
import { DataList } from "~/ui/data-list";
import { Icon } from "~/ui/icon";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { toAmountErrors } from "./amount-errors";
import { type Calculation, toFlipped } from "./calculator-target";
import * as styles from "./price-calculator.css";
import type { Sparkline } from "./sparkline";
import { useLiveRates } from "./use-live-rates";
import { useTypedAmounts } from "./use-typed-amounts";

export type PriceCalculatorProps = {
  title: string;
  calculation: Calculation;
  rates: CurrentRates;
  chart: Sparkline | null;
  /** The page that reads the form: `source` and `amount` in its URL. */
  action: string;
  /** The same page with the other direction. */
  toPath(calculation: Calculation): string;
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
  const { title, calculation, chart, action, toPath, quoteWith, children } = props;
  const { numbers } = useLocale();
  const rates = useLiveRates(props.rates);
  const { source } = calculation;
  const target = otherAsset(source);
  const direction = { source, target };
  const amounts = useTypedAmounts({ side: "source", text: calculation.text }, direction, rates, numbers);
  const pair = toPair(direction, rates);
  const errors = toAmountErrors(amounts, numbers);
  const price = errors.source === undefined ? amounts.price : null;
  const fee = pair && price && describeFee(price, pair, toPriceTerms(rates), numbers);
  const receive = price ? amounts.texts.target : "";
  return (
    <Form
      method={quoteWith ? "post" : "get"}
      action={quoteWith ? paths.direction(source) : action}
      replace={!quoteWith}
      noValidate
    >
      {Object.entries(quoteWith ? { ...quoteWith, intent: "quote", side: "source" } : { source }).map(
        ([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ),
      )}
      <Stack gap={3}>
        <h2 className={text.heading}>{title}</h2>
        <div className={styles.legs}>
          <AmountField
            ref={amounts.refs.source}
            label="You send"
            name={quoteWith ? "source" : "amount"}
            value={amounts.texts.source}
            onChange={(event) => amounts.type("source", event.currentTarget.value)}
            maxLength={64}
            placeholder="0"
            error={errors.source}
            coin={<CoinName asset={source} />}
          />
          <Link
            className={styles.flip}
            to={toPath(toFlipped(calculation, receive))}
            prefetch="intent"
            replace
            preventScrollReset
            aria-label="Switch direction"
          >
            <Icon name="flip" />
          </Link>
          <AmountField
            ref={amounts.refs.target}
            label="You receive about"
            value={receive}
            readOnly
            placeholder="–"
            coin={<CoinName asset={target} />}
          />
        </div>
        <LiveRegion>{receive ? `${amounts.texts.source} ${source} gives about ${receive} ${target}` : ""}</LiveRegion>
        <DataList
          rows={[
            fee && price
              ? toFeeRow(fee, formatAmount(price.feeAmount, source), source, numbers)
              : { key: "fee", term: "Fee", value: formatBps(rates.fee_bps, numbers) },
            {
              key: "rate",
              term: "Rate",
              value:
                pair === null
                  ? "unavailable right now"
                  : `1 ${source} = ${formatRate(formatDecimal(pair.rate, RATE_DECIMALS), numbers)} ${target}`,
            },
            {
              key: "when",
              term: "Arrives",
              value: `${formatSwapTime(source === "USDT" ? "ethereum" : "mobilecoin", rates.confirmations[source])} after you pay`,
            },
          ]}
        />
        {fee?.explanation ? <p className={`${text.small} ${text.muted}`}>{fee.explanation}</p> : null}
        {children}
        {chart ? <PriceHistory chart={chart} /> : null}
      </Stack>
    </Form>
  );
}

function PriceHistory({ chart: { line, change } }: { chart: Sparkline }) {
  const { numbers } = useLocale();
  const percent = formatDecimalText(Math.abs(change * 100).toFixed(2), numbers);
  return (
    <Row gap={3} className={styles.history}>
      <svg className={styles.chart} viewBox="0 0 100 28" preserveAspectRatio="none" aria-hidden="true">
        <path d={line} />
      </svg>
      <span className={`${text.small} ${text.muted}`}>
        MOB {Math.abs(change) < 0.00005 ? "unchanged" : `${change > 0 ? "up" : "down"} ${percent}%`} in 24 hours
      </span>
    </Row>
  );
}
