import { Fragment } from "react";
import * as styles from "./amount-text.css";

/** A text in which an amount and its coin stay on one line if there is room. Otherwise it breaks between the two. */
export function AmountText({ children }: { children: string }) {
  return (
    <>
      {children.split(" ").map((word, at) => {
        const [amount, coin] = word.split("\u00a0");
        return (
          <Fragment key={word + String(at)}>
            {at === 0 ? null : " "}
            {coin === undefined ? (
              word
            ) : (
              <span className={styles.amount}>
                {`${amount}\u00a0`}
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
