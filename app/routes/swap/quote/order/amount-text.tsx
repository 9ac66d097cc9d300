import { Fragment } from "react";
import * as styles from "./amount-text.css";

/**
 * An amount and its coin, with a no-break space between them. In some languages, such spaces also separate thousands.
 */
const amountAndCoin = /^(.*\d\u00a0)([A-Z]+)$/;

/** Text in which an amount and its coin stay on one line if there is room. Otherwise it breaks between the two. */
export function AmountText({ children }: { children: string }) {
  return (
    <>
      {children.split(" ").map((word, at) => {
        const [, amount, coin] = amountAndCoin.exec(word) ?? [];
        return (
          <Fragment key={word + String(at)}>
            {at === 0 ? null : " "}
            {coin === undefined ? (
              word
            ) : (
              <span className={styles.amount}>
                {amount}
                <wbr />
                {coin}
              </span>
            )}
          </Fragment>
        );
      })}
    </>
  );
}
