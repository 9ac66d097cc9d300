import { CoinName } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { Worth } from "~/components/locale/worth";
import type { AssetSymbol } from "~/lib/assets";
import { type Pair, parseAmount } from "~/lib/money";
import { formatDecimalText } from "~/lib/number-style";
import { type PublishedRates, toPair } from "~/lib/published-rates";
import { formatExactly, formatShort } from "~/lib/shown-amount";
import { useRootData } from "~/loaded-data/root-data";
import { Card } from "~/ui/card";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { visuallyHidden } from "~/ui/visually-hidden.css";
import * as styles from "../doger.css";
import type { OrderCount } from "./count-orders";

type Props = { count: OrderCount } & Pick<PublishedRates, "rates">;

/**
 * The totals of what the customer sent, and of what was or still has to be sent to them, with their value at the
 * current rate.
 */
export function TotalsCard({ count, rates }: Props) {
  const { numbers } = useLocale();
  const hasValues = Boolean(useRootData()?.currency);
  const pair = toPair({ source: "MOB", target: "USDT" }, { rates });
  const counted = formatDecimalText(String(count.orders), numbers);
  return (
    <Card aria-labelledby="totals">
      <Stack gap={4}>
        <h3 className={visuallyHidden} id="totals">
          Totals
        </h3>
        <div className={styles.totals}>
          {count.totals.map(({ asset, deposited, withdrawn }) => (
            <div key={asset} className={styles.assetTotals}>
              <p className={styles.coinName}>
                <CoinName asset={asset} />
              </p>
              <dl className={styles.sums}>
                <div>
                  <dt className={styles.sumName}>You sent</dt>
                  <Sum amount={deposited} asset={asset} pair={pair} />
                </div>
                <div>
                  <dt className={styles.sumName}>Sent to you</dt>
                  <Sum amount={withdrawn} asset={asset} pair={pair} />
                </div>
              </dl>
            </div>
          ))}
        </div>
        {count.capped ? (
          <p className={styles.note}>
            Counts your {counted} most recent swaps. Without filters, the CSV file below contains all of them.
          </p>
        ) : null}
        <Disclosure summary="How we count">
          “Sent to you” includes refunds, and what we still have to send. Failed payments aren't counted.
          {hasValues ? " Approximate values use the current rate." : null}
        </Disclosure>
      </Stack>
    </Card>
  );
}

/** Pointing at a shortened amount shows all its digits. */
function Sum({ amount, asset, pair }: { amount: string; asset: AssetSymbol; pair: Pair | null }) {
  const { numbers } = useLocale();
  return (
    <dd>
      <data className={styles.sum} value={amount} title={formatExactly(amount, numbers)}>
        {formatShort(amount, numbers)}
      </data>
      <span className={styles.worth}>
        <Worth amount={parseAmount(amount, asset)} asset={asset} pair={pair} />
      </span>
    </dd>
  );
}
