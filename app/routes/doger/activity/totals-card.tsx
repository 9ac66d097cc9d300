import { CoinName } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { formatDecimalText } from "~/lib/number-style";
import { formatExactly, formatShort } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import * as styles from "../doger.css";
import type { OrderCount } from "./count-orders";

export function TotalsCard({ count }: { count: OrderCount }) {
  const { numbers } = useLocale();
  const counted = formatDecimalText(String(count.orders), numbers);
  return (
    <Card aria-labelledby="totals">
      <Stack gap={4}>
        <h3 className={text.heading} id="totals">
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
                  <dt className={styles.sumName}>Deposited</dt>
                  <Sum amount={deposited} />
                </div>
                <div>
                  <dt className={styles.sumName}>Withdrawn</dt>
                  <Sum amount={withdrawn} />
                </div>
              </dl>
            </div>
          ))}
        </div>
        <p className={styles.note}>
          {count.capped ? `Counts your ${counted} most recent swaps; the CSV file below contains all of them. ` : null}
          Deposited is what you sent us. Withdrawn is what we sent you, including refunds. Failed payments are not
          counted.
        </p>
      </Stack>
    </Card>
  );
}

/** Pointing at a shortened amount shows all its digits, which the CSV file has as well. */
function Sum({ amount }: { amount: string }) {
  const { numbers } = useLocale();
  return (
    <dd className={styles.sum}>
      <data value={amount} title={formatExactly(amount, numbers)}>
        {formatShort(amount, numbers)}
      </data>
    </dd>
  );
}
