import type { Order } from "~/api/contract";
import { GroupedAddress } from "~/components/addresses/grouped-address";
import { Moment } from "~/components/locale/moment";
import { useLocale } from "~/components/locale/use-locale";
import * as styles from "~/components/order/order.css";
import { isKept, toReceived } from "~/components/order/order-sums";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { paths } from "~/lib/paths";
import { showMoney } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { DataList } from "~/ui/data-list";
import { Row } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";

/** For the files: this page on paper, or the same for machines. Where nothing was moved there is none. */
export function Receipt({ order }: { order: Order }) {
  const { numbers } = useLocale();
  if (order.status !== "completed" && order.status !== "refunded") return null;
  const swapped = order.status === "completed";
  return (
    <>
      <div className={styles.onPaper}>
        <h2 className={text.heading}>Receipt from Antelope</h2>
        <DataList
          rows={[
            { key: "id", term: "Order", value: order.id },
            { key: "made", term: "Price locked", value: <Moment at={order.created_at} show="day-time-and-zone" /> },
            { key: "done", term: "Finished", value: <Moment at={order.updated_at} show="day-time-and-zone" /> },
            { key: "sent", term: "Sent", value: showMoney(toReceived(order), order.source_asset_symbol, numbers) },
            ...(swapped ? toPrice(order, numbers) : []),
          ]}
        />
        {isKept(order) ? null : (
          <>
            <p className={`${text.small} ${text.muted}`}>{swapped ? "Paid out to" : "Returned to"}</p>
            <GroupedAddress address={swapped ? order.delivery_address : order.refund_address} />
          </>
        )}
      </div>
      <Row className={styles.onScreen} gap={2}>
        <NeedsScripts>
          <Button type="button" onClick={() => window.print()}>
            Print the receipt
          </Button>
        </NeedsScripts>
        <a className={text.small} href={paths.orderReceipt(order.id)} download>
          Receipt as a file
        </a>
      </Row>
    </>
  );
}

/** Of a swap that was sent back neither was ever paid. */
function toPrice(order: Order, numbers: NumberStyle) {
  const rate = formatDecimalText(order.exchange_rate, numbers);
  return [
    { key: "rate", term: "Rate", value: `1 ${order.source_asset_symbol} = ${rate} ${order.target_asset_symbol}` },
    {
      key: "fee",
      term: "Fee, part of what was sent",
      value: showMoney(order.fee_amount, order.fee_asset_symbol, numbers),
    },
  ];
}
