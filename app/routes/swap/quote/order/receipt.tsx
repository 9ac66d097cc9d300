import type { Order } from "~/api/contract";
import { DateTime } from "~/components/locale/date-time";
import { useLocale } from "~/components/locale/use-locale";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { hasReceipt, toAmountRows, toFinishedAt } from "~/swaps/receipt-parts";
import { Button } from "~/ui/button";
import { DataList } from "~/ui/data-list";
import { Row } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "./order.css";

/** The part of a printed receipt that is not on the screen. */
export function PrintedReceipt({ order, origin }: { order: Order; origin: string }) {
  const { numbers } = useLocale();
  if (!hasReceipt(order)) return null;
  return (
    <div className={styles.printOnly}>
      <h2 className={text.heading}>Receipt from Antelope</h2>
      <p translate="no">{origin + paths.quote(order.quote_id)}</p>
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
  );
}

/** Prints the receipt, or downloads it. */
export function ReceiptLinks({ order }: { order: Order }) {
  if (!hasReceipt(order)) return null;
  return (
    <Row className={styles.screenOnly} gap={4}>
      <NeedsScripts>
        <Button type="button" onClick={() => window.print()}>
          Print receipt
        </Button>
      </NeedsScripts>
      <Row className={text.small}>
        <span aria-hidden="true">Receipt as</span>
        {/* Without `download`, which would save the sign-in page under the file's name once the session is over. */}
        <a href={paths.orderReceiptPdf(order.id)}>
          <VisuallyHidden>Receipt as </VisuallyHidden>PDF
        </a>
        <a href={paths.orderReceipt(order.id)}>
          <VisuallyHidden>Receipt as </VisuallyHidden>JSON
        </a>
      </Row>
    </Row>
  );
}
