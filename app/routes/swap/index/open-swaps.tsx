import { Link } from "@remix-run/react";
import type { Quote } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import { toQuotePath } from "~/lib/quote-path";
import { formatMoney } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import { PlainList } from "~/ui/plain-list";
import * as styles from "./swap-index.css";
import { SwapLine, type SwapsProps } from "./swap-line";

/** A link to each swap in progress, and to a price that is not locked yet. */
export function OpenSwaps({ quote, orders, ...now }: SwapsProps & { quote: Quote | null }) {
  const { numbers } = useLocale();
  return (
    <Card>
      <Stack gap={3}>
        <h2 className={text.heading}>In progress</h2>
        <PlainList className={styles.lines}>
          {quote ? (
            <li>
              <Link to={toQuotePath(quote)} prefetch="intent" className={styles.line}>
                <span className={styles.lineName}>
                  {formatMoney(quote.source_amount, quote.source_asset_symbol, numbers)} to {quote.target_asset_symbol}
                </span>
                <span className={`${text.small} ${text.muted}`}>Price not locked yet</span>
              </Link>
            </li>
          ) : null}
          {orders.map((order) => (
            <li key={order.id}>
              <SwapLine order={order} {...now} className={styles.line} nameClassName={styles.lineName} />
            </li>
          ))}
        </PlainList>
      </Stack>
    </Card>
  );
}
