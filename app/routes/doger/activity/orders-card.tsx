import { Link } from "@remix-run/react";
import { Antelope } from "~/components/brand/antelope";
import { HelpLinks } from "~/components/help/help-links";
import { DateTime } from "~/components/locale/date-time";
import { Money } from "~/components/locale/money";
import { Worth } from "~/components/locale/worth";
import type { AssetSymbol } from "~/lib/assets";
import { parseAmount } from "~/lib/money";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { toPricedPair } from "~/lib/priced-pair";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import { Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Pagination } from "~/ui/pagination";
import { Table } from "~/ui/table";
import * as styles from "../doger.css";
import { FilterForm } from "./filter-form";
import { type FilterErrors, type Filters, isFiltered, toFilteredPath } from "./filters";
import type { ListedOrder } from "./order-row";

type Props = {
  orders: readonly ListedOrder[];
  next: string | null;
  newest: boolean;
  /** Whether the customer has swaps at all, whatever the filters. */
  hasOrders: boolean;
  filters: Filters;
  errors: FilterErrors;
};

/** One page of the customer's swaps that match the filters, newest first. */
export function OrdersCard({ orders, next, newest, hasOrders, filters, errors }: Props) {
  if (!hasOrders) return <NoOrders />;
  const filtered = isFiltered(filters);
  const isRefused = Object.keys(errors).length > 0;
  return (
    <Card aria-labelledby="swaps">
      <Stack gap={4}>
        <div className={styles.head}>
          <h3 className={text.heading} id="swaps">
            Your swaps
          </h3>
          {/* The response is a file, so the browser must load it, not the router. */}
          {orders.length === 0 ? null : (
            <ButtonLink to={toFilteredPath(filters, { isFile: true })} reloadDocument prefetch="none" size="small">
              {filtered ? "Download these as CSV" : "Download all as CSV"}
            </ButtonLink>
          )}
        </div>
        <FilterForm filters={filters} errors={errors} />
        <LiveRegion>
          {filtered && newest ? toResultText(orders.length, next !== null, isRefused) : <Range orders={orders} />}
        </LiveRegion>
        {orders.length === 0 ? <NoMatches isRefused={isRefused} /> : <OrdersTable orders={orders} />}
        <Pagination
          label="Swap pages"
          newer={newest ? undefined : toFilteredPath(filters)}
          older={next === null ? undefined : toFilteredPath(filters, { cursor: next })}
        />
        <HelpLinks links={[{ id: "records", question: "How do I get records for my taxes?" }]} />
      </Stack>
    </Card>
  );
}

const checkSearch = "Check your search";

function toResultText(count: number, hasMore: boolean, isRefused: boolean): string {
  if (isRefused) return `${checkSearch}.`;
  if (count === 0) return "No swaps match.";
  return hasMore
    ? `The newest ${count} swaps that match.`
    : `${count} ${count === 1 ? "swap matches" : "swaps match"}.`;
}

/** Which swaps a page shows, so that an older page announces itself. */
function Range({ orders }: Pick<Props, "orders">) {
  const newest = orders.at(0);
  const oldest = orders.at(-1);
  if (!newest || !oldest) return null;
  return (
    <>
      Swaps from <DateTime at={oldest.created_at} /> to <DateTime at={newest.created_at} />
    </>
  );
}

function OrdersTable({ orders }: Pick<Props, "orders">) {
  return (
    <Table
      compact
      caption="Your swaps, newest first"
      rows={orders}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "number",
          header: "Number",
          rowHeader: true,
          cell: ({ quote_id }) => (
            <Link className={styles.openLink} to={paths.quote(quote_id)} prefetch="intent" translate="no">
              {toOrderNumber(quote_id)}
            </Link>
          ),
        },
        { key: "at", header: "Date", cell: ({ created_at }) => <DateTime at={created_at} /> },
        {
          key: "send",
          header: "You send",
          numeric: true,
          cell: (order) => <Leg order={order} amount={order.source_amount} asset={order.source_asset_symbol} />,
        },
        {
          key: "receive",
          header: "You receive",
          numeric: true,
          cell: (order) =>
            order.isPaidOut ? (
              <>
                <span className={styles.arrow} aria-hidden="true">
                  →
                </span>
                <Leg order={order} amount={order.target_amount} asset={order.target_asset_symbol} />
              </>
            ) : (
              <span className={styles.onWide}>–</span>
            ),
        },
        {
          key: "status",
          header: "Status",
          cell: ({ badge }) => <Badge tone={badge.tone}>{badge.label}</Badge>,
        },
      ]}
    />
  );
}

type LegProps = { order: ListedOrder; amount: string; asset: AssetSymbol };

/** An amount and, where there is room, its approximate value at the swap's own rate between USDT and MOB. */
function Leg({ order, amount, asset }: LegProps) {
  return (
    <>
      <Money amount={amount} asset={asset} />
      <span className={`${styles.worth} ${styles.onWide}`}>
        <Worth amount={parseAmount(amount, asset)} asset={asset} pair={toPricedPair(order)} />
      </span>
    </>
  );
}

/** @param isRefused whether a field says what is wrong with it */
function NoMatches({ isRefused }: { isRefused: boolean }) {
  return (
    <EmptyState
      illustration={<Antelope pose="looking" />}
      heading="h3"
      title={isRefused ? checkSearch : "No swaps match"}
      action={
        <ButtonLink to={paths.doger} preventScrollReset>
          Show all swaps
        </ButtonLink>
      }
    >
      {isRefused ? null : <p>Try a shorter search or other dates.</p>}
    </EmptyState>
  );
}

function NoOrders() {
  return (
    <Card>
      <EmptyState
        illustration={<Antelope pose="drinking" />}
        heading="h3"
        title="No swaps yet"
        action={
          <ButtonLink to={paths.swap} kind="primary" size="large">
            Make your first swap
          </ButtonLink>
        }
      >
        <p>Your swaps appear here, with what you sent, what you received and their status.</p>
      </EmptyState>
    </Card>
  );
}
