import type { ReactNode } from "react";
import type { CurrentRates, Quote } from "~/api/contract";
import { Coin } from "~/components/brand/coin";
import { Worth } from "~/components/locale/worth";
import { networkFeeRow } from "~/components/price/fee-rows";
import type { AssetSymbol } from "~/lib/assets";
import { parseAmount } from "~/lib/money";
import type { NumberStyle } from "~/lib/number-style";
import { toPricedPair } from "~/lib/priced-pair";
import { formatExactly, formatExactMoney, formatShort } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { DataList } from "~/ui/data-list";
import { Disclosure } from "~/ui/disclosure";
import { fitAmount } from "~/ui/fit";
import { box } from "~/ui/fit.css";
import { Icon } from "~/ui/icon";
import { Stack } from "~/ui/layout";
import * as styles from "../quote.css";
import { toQuotedRows } from "../quoted-rows";

type Props = { quote: Quote; rates: CurrentRates; isExpired: boolean; numbers: NumberStyle };

/** The amounts, rate and fee of a quote. */
export function QuoteAmounts({ quote, rates, isExpired, numbers }: Props) {
  const { source_asset_symbol: source, target_asset_symbol: target } = quote;
  const pair = toPricedPair(quote);
  const { rate, fee, feeExplanation } = toQuotedRows(quote, rates, numbers);
  const isShortened = [quote.source_amount, quote.target_amount, quote.fee_amount].some(
    (amount) => formatShort(amount, numbers) !== formatExactly(amount, numbers),
  );
  return (
    <Stack gap={4}>
      <h1 className={text.title}>{isExpired ? "Your previous price" : "Your price"}</h1>
      <div className={styles.exchange}>
        <Leg label="You send" amount={formatShort(quote.source_amount, numbers)} asset={source}>
          <Worth amount={parseAmount(quote.source_amount, source)} asset={source} pair={pair} />
        </Leg>
        <span className={styles.arrow}>
          <Icon name="chevron" />
        </span>
        <Leg label="You receive" amount={formatShort(quote.target_amount, numbers)} asset={target}>
          <Worth amount={parseAmount(quote.target_amount, target)} asset={target} pair={pair} />
        </Leg>
      </div>
      <DataList rows={[rate, fee, networkFeeRow]} />
      {feeExplanation ? <p className={`${text.small} ${text.muted}`}>{feeExplanation}</p> : null}
      {isShortened ? (
        <Disclosure summary="Exact amounts">
          <DataList
            rows={[
              { term: "You send", value: formatExactMoney(quote.source_amount, source, numbers) },
              { term: "You receive", value: formatExactMoney(quote.target_amount, target, numbers) },
              { term: "Fee", value: formatExactMoney(quote.fee_amount, source, numbers) },
            ]}
          />
        </Disclosure>
      ) : null}
    </Stack>
  );
}

type LegProps = { label: string; amount: string; asset: AssetSymbol; children: ReactNode };

function Leg({ label, amount, asset, children }: LegProps) {
  return (
    <div className={`${styles.leg} ${box}`}>
      <span className={styles.legName}>{label}</span>
      <span className={`${styles.amount} ${fitAmount(amount)}`} translate="no">
        {amount}
      </span>
      <span className={styles.asset}>
        <Coin asset={asset} />
        {asset}
      </span>
      <span className={styles.worth}>{children}</span>
    </div>
  );
}
