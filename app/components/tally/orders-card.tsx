import { Link } from "@remix-run/react";
import type { Order } from "~/api/contract";
import { DrinkingAntelope } from "~/components/brand/drinking-antelope";
import { Moment } from "~/components/locale/moment";
import { useLocale } from "~/components/locale/use-locale";
import { toStatusBadge } from "~/components/order/order-words";
import { paths, withParams } from "~/lib/paths";
import { showMoney } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Stack } from "~/ui/layout";
import { Pagination } from "~/ui/pagination";
import { Table } from "~/ui/table";
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "./tally.css";

type Props = { orders: readonly Order[]; next: string | null; newest: boolean };

/** Every swap, newest first, a page at a time. */
export function OrdersCard({ orders, next, newest }: Props) {
  const { numbers } = useLocale();
  if (orders.length === 0 && newest) return <NoOrders />;
  return (
    <Card aria-labelledby="swaps">
      <Stack gap={4}>
        <div className={styles.head}>
          <h2 className={text.heading} id="swaps">
            Your swaps
          </h2>
          {/* A file, not a page: the browser itself follows it. */}
          <ButtonLink to={`${paths.doger}/export.csv`} reloadDocument prefetch="none" size="small">
            Save all as CSV
          </ButtonLink>
        </div>
        <Table
          caption="Your swaps, newest first"
          rows={orders}
          rowKey={({ id }) => id}
          columns={[
            { key: "at", header: "When", cell: ({ created_at }) => <Moment at={created_at} /> },
            {
              key: "send",
              header: "You send",
              rowHeader: true,
              numeric: true,
              cell: (order) => (
                <Link className={styles.openLink} to={paths.quote(order.quote_id)} prefetch="intent">
                  <VisuallyHidden>Open the swap of </VisuallyHidden>
                  {showMoney(order.source_amount, order.source_asset_symbol, numbers)}
                </Link>
              ),
            },
            {
              key: "receive",
              header: "You receive",
              numeric: true,
              cell: (order) =>
                unpaid.includes(order.status)
                  ? "–"
                  : showMoney(order.target_amount, order.target_asset_symbol, numbers),
            },
            {
              key: "status",
              header: "Status",
              cell: (order) => {
                const { word, tone } = toStatusBadge(order);
                return <Badge tone={tone}>{word}</Badge>;
              },
            },
          ]}
        />
        <Pagination
          label="Pages of your swaps"
          newer={newest ? undefined : paths.doger}
          older={next === null ? undefined : withParams(paths.doger, { cursor: next })}
        />
      </Stack>
    </Card>
  );
}

/** Endings in which the coins that were asked for do not come. */
const unpaid: readonly Order["status"][] = ["expired", "cancelled", "refunding", "refunded"];

function NoOrders() {
  return (
    <Card>
      <EmptyState
        picture={<DrinkingAntelope />}
        title="No swaps yet"
        action={
          <ButtonLink to={paths.swap} kind="primary">
            Make your first swap
          </ButtonLink>
        }
      >
        <p>Each of yours will stand here with what you sent, what came, and where it is.</p>
      </EmptyState>
    </Card>
  );
}
