import { Link } from "@remix-run/react";
import type { Order } from "~/api/contract";
import { DrinkingAntelope } from "~/components/brand/drinking-antelope";
import { DateTime } from "~/components/locale/date-time";
import { Money } from "~/components/locale/money";
import { toStatusBadge } from "~/components/order/order-labels";
import { paths, withParams } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Stack } from "~/ui/layout";
import { Pagination } from "~/ui/pagination";
import { Table } from "~/ui/table";
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "../doger.css";

type Props = { orders: readonly Order[]; next: string | null; newest: boolean };

/** One page of the customer's swaps, newest first. */
export function OrdersCard({ orders, next, newest }: Props) {
  if (orders.length === 0 && newest) return <NoOrders />;
  return (
    <Card aria-labelledby="swaps">
      <Stack gap={4}>
        <div className={styles.head}>
          <h3 className={text.heading} id="swaps">
            Your swaps
          </h3>
          {/* The response is a file, so the browser must load it, not the router. */}
          <ButtonLink to={`${paths.doger}/export.csv`} reloadDocument prefetch="none" size="small">
            Download all as CSV
          </ButtonLink>
        </div>
        <Table
          caption="Your swaps, newest first"
          rows={orders}
          rowKey={({ id }) => id}
          columns={[
            { key: "at", header: "Date", cell: ({ created_at }) => <DateTime at={created_at} /> },
            {
              key: "send",
              header: "You send",
              rowHeader: true,
              numeric: true,
              cell: (order) => (
                <Link className={styles.openLink} to={paths.quote(order.quote_id)} prefetch="intent">
                  <VisuallyHidden>View the swap of </VisuallyHidden>
                  <Money amount={order.source_amount} asset={order.source_asset_symbol} />
                </Link>
              ),
            },
            {
              key: "receive",
              header: "You receive",
              numeric: true,
              cell: (order) =>
                notPaidOut.includes(order.status) ? (
                  "–"
                ) : (
                  <Money amount={order.target_amount} asset={order.target_asset_symbol} />
                ),
            },
            {
              key: "status",
              header: "Status",
              cell: (order) => {
                const { label, tone } = toStatusBadge(order);
                return <Badge tone={tone}>{label}</Badge>;
              },
            },
          ]}
        />
        <Pagination
          label="Swap pages"
          newer={newest ? undefined : paths.doger}
          older={next === null ? undefined : withParams(paths.doger, { cursor: next })}
        />
      </Stack>
    </Card>
  );
}

/** Statuses in which the customer doesn't receive the target asset. */
const notPaidOut: readonly Order["status"][] = ["expired", "cancelled", "refunding", "refunded"];

function NoOrders() {
  return (
    <Card>
      <EmptyState
        illustration={<DrinkingAntelope />}
        heading="h3"
        title="No swaps yet"
        action={
          <ButtonLink to={paths.swap} kind="primary">
            Make your first swap
          </ButtonLink>
        }
      >
        <p>Your swaps appear here, with what you sent, what you received and their status.</p>
      </EmptyState>
    </Card>
  );
}
