import * as styles from "./order.css";

type Props = {
  /** The path of this page, with a query. */
  here: string;
  isStopped: boolean;
};

const refreshSeconds = 15;

/** Keeps an order's page up to date without JavaScript, unless the visitor has stopped that, for example to read it. */
export function PageUpdates({ here, isStopped }: Props) {
  const stopped = `${here}&updates=off`;
  return (
    <>
      {isStopped ? null : <meta httpEquiv="refresh" content={String(refreshSeconds)} />}
      <p className={styles.standaloneText}>
        {isStopped
          ? "This page doesn't update automatically."
          : `This page updates automatically every ${refreshSeconds} seconds.`}{" "}
        <a href={isStopped ? stopped : here}>Update now</a>
        {" · "}
        <a href={isStopped ? here : stopped}>
          {isStopped ? "Update automatically" : "Stop updating this page automatically"}
        </a>
      </p>
    </>
  );
}
