import type { Order } from "~/api/contract";
import { DateTime } from "~/components/locale/date-time";
import { useLocale } from "~/components/locale/use-locale";
import { toAmountRows, toFinishedAt } from "~/components/order/receipt-parts";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { DataList } from "~/ui/data-list";
import { Row } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import * as styles from "./order.css";

/** The receipt, to print or to download. Only completed and refunded swaps have one. */
export function Receipt({ order }: { order: Order }) {
  const { numbers } = useLocale();
  if (order.status !== "completed" && order.status !== "refunded") return null;
  return (
    <>
      <div className={styles.printOnly}>
        <h2 className={text.heading}>Receipt from Antelope</h2>
        <DataList
          rows={[
            { key: "number", term: "Swap number", value: <span translate="no">{toOrderNumber(order.quote_id)}</span> },
            { key: "id", term: "Swap ID", value: <span translate="no">{order.id}</span> },
            { key: "made", term: "Price locked", value: <DateTime at={order.created_at} show="day-time-and-zone" /> },
            { key: "done", term: "Finished", value: <DateTime at={toFinishedAt(order)} show="day-time-and-zone" /> },
            ...toAmountRows(order, numbers),
          ]}
        />
      </div>
      <Row className={styles.screenOnly} gap={4}>
        <NeedsScripts>
          <Button type="button" onClick={() => window.print()}>
            Print receipt
          </Button>
        </NeedsScripts>
        {/* Without `download`, which would save the sign-in page under the file's name once the session is over. */}
        <a className={text.small} href={paths.orderReceiptPdf(order.id)}>
          Receipt as PDF
        </a>
        <a className={text.small} href={paths.orderReceipt(order.id)}>
          Receipt as JSON
        </a>
      </Row>
    </>
  );
}
