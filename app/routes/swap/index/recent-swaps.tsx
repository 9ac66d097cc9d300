import { SwapAgain } from "~/components/order/swap-again";
import { text } from "~/styles/text.css";
import { PlainList } from "~/ui/plain-list";
import * as styles from "./swap-index.css";
import { SwapLine, type SwapsProps } from "./swap-line";

/** Completed swaps, each with a link to its page and a button to repeat it. */
export function RecentSwaps({ orders, ...now }: SwapsProps) {
  return (
    <section aria-labelledby="recent">
      <h3 id="recent" className={text.strong}>
        Your recent swaps
      </h3>
      <PlainList className={styles.recent}>
        {orders.map((order) => (
          <li key={order.id} className={styles.recentLine}>
            <SwapLine order={order} {...now} className={styles.recentSwap} nameClassName={styles.lineName} />
            <SwapAgain order={order} kind="quiet" size="small" />
          </li>
        ))}
      </PlainList>
    </section>
  );
}
