import type { TrackedOrder } from "~/api/contract";
import { DateTime } from "~/components/locale/date-time";
import { Money } from "~/components/locale/money";
import { useLocale } from "~/components/locale/use-locale";
import { TransactionBadge } from "~/components/order/transaction-badge";
import { Narrow } from "~/components/shell/layouts";
import { isOpen, type OrderStatus } from "~/lib/order-states";
import { formatMoney } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { isSettled, toShownStatus } from "~/swaps/order-sums";
import { paymentNames, toPaidAt } from "~/swaps/receipt-parts";
import { Badge } from "~/ui/badge";
import { Card } from "~/ui/card";
import { DataList } from "~/ui/data-list";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { toTrackedLabels } from "./tracked-labels";

type Props = {
  order: TrackedOrder;
  /** Whether the visitor has stopped automatic updates, for example to read the page. */
  isStopped: boolean;
};

/** A swap as shown by its tracking link. */
export function TrackedSwap({ order, isStopped }: Props) {
  const { numbers } = useLocale();
  const { source_asset_symbol: source, target_asset_symbol: target } = order;
  const status = toShownStatus({ ...order, outgoing_txs: order.transactions });
  const [sent, received] = toAmountTerms(status);
  const { label, tone, title, lede } = toTrackedLabels(order);
  return (
    <Narrow>
      <Card roomy as="div">
        {/* refresh.js announces each new state here. */}
        <LiveRegion>{null}</LiveRegion>
        <div data-swap="">
          <Stack gap={6}>
            <Stack gap={3}>
              <Row justify="between" gap={2}>
                <span className={`${text.small} ${text.muted}`}>
                  Swap {source} to {target}
                </span>
                <Badge tone={tone}>{label}</Badge>
              </Row>
              <h1 className={text.title}>{title}</h1>
              <p className={text.muted}>{lede}</p>
            </Stack>
            <DataList
              rows={[
                {
                  key: "from",
                  term: sent,
                  value: formatMoney(order.source_amount, source, numbers),
                },
                {
                  key: "to",
                  term: received,
                  value: formatMoney(order.target_amount, target, numbers),
                },
                { key: "at", term: "Price locked", value: <DateTime at={order.created_at} /> },
                ...(order.status === "awaiting_deposit"
                  ? [
                      {
                        key: "until",
                        term: "To be paid by",
                        value: <DateTime at={order.expires_at} show="day-time-and-zone" />,
                      },
                    ]
                  : []),
                { key: "changed", term: "Last updated", value: <DateTime at={order.updated_at} /> },
              ]}
            />
            <Transactions order={order} />
            <p className={`${text.small} ${text.muted}`}>
              {isSettled(order.status, order.transactions) ? (
                "This swap is finished."
              ) : (
                <Updates isStopped={isStopped} />
              )}{" "}
              The owner of the swap can turn off this link at any time.
            </p>
          </Stack>
        </div>
      </Card>
    </Narrow>
  );
}

/** The labels of a swap's amounts. If the swap was not paid out, they were only agreed. */
function toAmountTerms(status: OrderStatus): [sent: string, received: string] {
  if (status === "completed") return ["Swapped", "Received"];
  if (isOpen(status) && status !== "refunding") return ["To send", "To receive"];
  return ["Agreed to send", "Agreed to receive"];
}

function Updates({ isStopped }: Pick<Props, "isStopped">) {
  return isStopped ? (
    <>
      This page doesn't update automatically. <a href="?">Update automatically</a>.
    </>
  ) : (
    <>
      This page updates automatically. <a href="?updates=off">Stop updating this page automatically</a>.
    </>
  );
}

function Transactions({ order: { transactions } }: Pick<Props, "order">) {
  if (transactions.length === 0) return null;
  return (
    <Stack gap={3}>
      <h2 className={text.heading}>Payments</h2>
      {transactions.map((transaction) => (
        <Stack gap={1} key={transaction.purpose + transaction.created_at + transaction.amount}>
          <Row justify="between" gap={2}>
            <span>
              <span className={text.muted}>{paymentNames[transaction.purpose]}</span>{" "}
              <span className={text.strong}>
                <Money amount={transaction.amount} asset={transaction.asset_symbol} />
              </span>
            </span>
            <TransactionBadge transaction={transaction} />
          </Row>
          <span className={`${text.small} ${text.muted}`}>
            <DateTime at={toPaidAt(transaction)} />
          </span>
        </Stack>
      ))}
    </Stack>
  );
}
