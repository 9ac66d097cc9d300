import type { Quote } from "~/api/contract";
import { Coin } from "~/components/brand/coin";
import type { AssetSymbol } from "~/lib/assets";
import type { NumberStyle } from "~/lib/number-style";
import { formatExactly, formatMoney, formatRate } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { DataList } from "~/ui/data-list";
import { fitAmount } from "~/ui/fit";
import { box } from "~/ui/fit.css";
import { Icon } from "~/ui/icon";
import { Stack } from "~/ui/layout";
import * as styles from "./quote.css";

type Props = { quote: Quote; isExpired: boolean; numbers: NumberStyle };

/** The exact amounts, rate and fee of a quote. */
export function OfferAmounts({ quote, isExpired, numbers }: Props) {
  const { source_asset_symbol: source, target_asset_symbol: target } = quote;
  const rate = formatRate(quote.exchange_rate, numbers);
  return (
    <Stack gap={4}>
      <h1 className={text.title}>{isExpired ? "Your previous price" : "Your price"}</h1>
      <div className={styles.exchange}>
        <Leg label="You send" amount={formatExactly(quote.source_amount, numbers)} asset={source} />
        <span className={styles.arrow}>
          <Icon name="chevron" />
        </span>
        <Leg label="You receive" amount={formatExactly(quote.target_amount, numbers)} asset={target} />
      </div>
      <DataList
        rows={[
          { key: "rate", term: "Rate", value: `1 ${source} = ${rate} ${target}` },
          {
            key: "fee",
            term: "Fee, included in what you send",
            value: formatMoney(quote.fee_amount, quote.fee_asset_symbol, numbers),
          },
          { key: "network", term: "Network fee for the payout", value: "included" },
        ]}
      />
    </Stack>
  );
}

function Leg({ label, amount, asset }: { label: string; amount: string; asset: AssetSymbol }) {
  return (
    <div className={`${styles.leg} ${box}`}>
      <span className={styles.legName}>{label}</span>
      <span className={`${styles.amount} ${fitAmount(amount)}`}>{amount}</span>
      <span className={styles.asset}>
        <Coin asset={asset} />
        {asset}
      </span>
    </div>
  );
}
