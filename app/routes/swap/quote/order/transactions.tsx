import type { Order, Transaction } from "~/api/contract";
import { GroupedAddress } from "~/components/addresses/grouped-address";
import { DateTime } from "~/components/locale/date-time";
import { Money } from "~/components/locale/money";
import { useLocale } from "~/components/locale/use-locale";
import { TransactionBadge } from "~/components/order/transaction-badge";
import type { AssetSymbol } from "~/lib/assets";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { formatExactMoney } from "~/lib/shown-amount";
import { useSiteTerms } from "~/loaded-data/root-data";
import { text } from "~/styles/text.css";
import { addressNames, paymentNames, toAddress, toMoreDepositsText, toPaidAt } from "~/swaps/receipt-parts";
import { CopyButton } from "~/ui/copy-button";
import { Icon } from "~/ui/icon";
import { Row } from "~/ui/layout";
import { PlainList } from "~/ui/plain-list";
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "./order.css";

/** URL templates of block explorers, with `{hash}` as the placeholder; empty if none is configured. */
export type Explorers = Record<AssetSymbol, string>;

/** Every deposit, payout and refund of a swap, with its hash. */
export function Transactions({ order, explorers }: { order: Order; explorers: Explorers }) {
  const all = [...order.incoming_txs, ...order.outgoing_txs];
  if (all.length === 0) return null;
  return (
    <section className={styles.group} aria-labelledby="payments">
      <h2 id="payments" className={text.heading}>
        Payments
      </h2>
      <PlainList className={styles.payments}>
        {all.map((tx) => (
          <Payment key={tx.id} order={order} tx={tx} explorer={explorers[tx.asset_symbol]} />
        ))}
      </PlainList>
      <MoreAboutDeposits order={order} />
    </section>
  );
}

/** Says what the list leaves out, and which amount is too small to send back. */
function MoreAboutDeposits({ order }: { order: Order }) {
  const more = toMoreDepositsText(order);
  const { set_aside_amount: setAside = "0", source_asset_symbol: asset } = order;
  return (
    <>
      {more === null ? null : <p className={text.muted}>{more}</p>}
      {setAside === "0" ? null : (
        <p className={text.muted}>
          <Money amount={setAside} asset={asset} /> is set aside for this swap, because the network fee for sending it
          back is higher. We send it back when the fee is low enough, or when more money arrives.
        </p>
      )}
    </>
  );
}

/** A deposit that a reorg has removed. */
function GoneDeposit({ order }: { order: Order }) {
  const { supportEmail } = useSiteTerms();
  return (
    <p className={`${text.small} ${text.muted}`}>
      This payment is no longer on the blockchain, so we don't have it.
      {supportEmail === null ? null : (
        <>
          {" "}
          If your wallet shows it as confirmed,{" "}
          <a href={paths.contact({ swap: toOrderNumber(order.quote_id) })}>send us its hash</a>.
        </>
      )}
    </p>
  );
}

function Payment({ order, tx, explorer }: { order: Order; tx: Transaction; explorer: string }) {
  const { numbers } = useLocale();
  return (
    <li className={styles.payment}>
      <Row justify="between" gap={2}>
        <span>
          <span className={text.muted}>{paymentNames[tx.purpose]}</span>{" "}
          <span className={`${text.strong} ${styles.screenOnly}`}>
            <Money amount={tx.amount} asset={tx.asset_symbol} />
          </span>
          <span className={`${text.strong} ${styles.printOnlyInline}`} translate="no">
            {formatExactMoney(tx.amount, tx.asset_symbol, numbers)}
          </span>
        </span>
        <TransactionBadge transaction={tx} />
      </Row>
      {tx.status === "failed" ? null : (
        <div className={styles.printOnly}>
          <p className={`${text.small} ${text.muted}`}>
            {addressNames[tx.purpose]} <GroupedAddress address={toAddress(order, tx)} />
          </p>
        </div>
      )}
      {tx.hash === null ? (
        <p className={`${text.small} ${text.muted}`}>
          {tx.status === "failed" ? "It was never sent." : "The transaction hash appears here once it is sent."}
        </p>
      ) : (
        <>
          <p className={`${styles.printOnly} ${text.small} ${text.muted}`}>Transaction</p>
          <code className={styles.hash} translate="no">
            {tx.hash}
          </code>
          <Row justify="between">
            <span className={`${text.small} ${text.muted}`}>
              <span className={styles.screenOnly}>
                <DateTime at={toPaidAt(tx)} />
              </span>
              <span className={styles.printOnly}>
                <DateTime at={toPaidAt(tx)} show="day-time-and-zone" />
              </span>
            </span>
            <Row gap={2} className={styles.screenOnly}>
              {explorer === "" ? null : (
                <a className={text.small} href={explorer.replace("{hash}", tx.hash)} rel="noreferrer" target="_blank">
                  Explorer
                  <VisuallyHidden>
                    : {paymentNames[tx.purpose]} <Money amount={tx.amount} asset={tx.asset_symbol} />
                  </VisuallyHidden>{" "}
                  <Icon name="out" />
                </a>
              )}
              <CopyButton
                value={tx.hash}
                what={`the hash of this ${tx.purpose === "deposit" ? "payment" : tx.purpose}`}
              >
                Copy hash
              </CopyButton>
            </Row>
          </Row>
          {tx.purpose === "deposit" && tx.status === "failed" ? <GoneDeposit order={order} /> : null}
        </>
      )}
    </li>
  );
}
