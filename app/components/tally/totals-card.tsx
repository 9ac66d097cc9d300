import { CoinName } from "~/components/brand/coin";
import { useLocale } from "~/components/locale/use-locale";
import { formatDecimalText } from "~/lib/number-style";
import { showExactly } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import type { Count } from "./count-orders";
import * as styles from "./tally.css";

/** What came and what went, for each coin. */
export function TotalsCard({ count }: { count: Count }) {
  const { numbers } = useLocale();
  const over = formatDecimalText(String(count.orders), numbers);
  return (
    <Card aria-labelledby="totals">
      <Stack gap={4}>
        <h2 className={text.heading} id="totals">
          All in all
        </h2>
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
        <p className={styles.facts}>
          {count.capped ? `Over your newest ${over} swaps; the file below holds all of them. ` : null}
          Deposited is what came from you. Withdrawn is what went out to you, refunds included. Payments that failed do
          not count.
        </p>
      </Stack>
    </Card>
  );
}

const readDigits = 4;

/** All of its digits; those beyond the fourth after the sign in a smaller hand. */
function Sum({ amount }: { amount: string }) {
  const { numbers } = useLocale();
  const shown = showExactly(amount, numbers);
  const fraction = amount.split(".")[1] ?? "";
  const dust = Math.max(0, fraction.length - readDigits);
  return (
    <dd className={styles.sum}>
      {shown.slice(0, shown.length - dust)}
      {dust > 0 ? <span className={styles.dust}>{shown.slice(-dust)}</span> : null}
    </dd>
  );
}
