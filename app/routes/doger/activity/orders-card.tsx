import { Link } from "@remix-run/react";
import { DrinkingAntelope } from "~/components/brand/drinking-antelope";
import { LookingAntelope } from "~/components/brand/looking-antelope";
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
import { VisuallyHidden } from "~/ui/visually-hidden";
import * as styles from "../doger.css";
import { FilterForm } from "./filter-form";
import { type FilterErrors, type Filters, isFiltered, toFilteredPath } from "./filters";
import type { OrderRow } from "./order-row";

type Props = {
  orders: readonly OrderRow[];
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
          {filtered && newest ? toResultText(orders.length, next !== null) : <Range orders={orders} />}
        </LiveRegion>
        {orders.length === 0 ? <NoMatches /> : <OrdersTable orders={orders} />}
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

function toResultText(count: number, hasMore: boolean): string {
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
      caption="Your swaps, newest first"
      rows={orders}
      rowKey={({ id }) => id}
      columns={[
        { key: "at", header: "Date", cell: ({ created_at }) => <DateTime at={created_at} /> },
        {
          key: "number",
          header: "Number",
          cell: ({ quote_id }) => <span translate="no">{toOrderNumber(quote_id)}</span>,
        },
        {
          key: "send",
          header: "You send",
          rowHeader: true,
          numeric: true,
          cell: (order) => (
            <>
              <Link className={styles.openLink} to={paths.quote(order.quote_id)} prefetch="intent">
                <VisuallyHidden>View the swap of </VisuallyHidden>
                <Money amount={order.source_amount} asset={order.source_asset_symbol} />
              </Link>
              <LegWorth order={order} amount={order.source_amount} asset={order.source_asset_symbol} />
            </>
          ),
        },
        {
          key: "receive",
          header: "You receive",
          numeric: true,
          cell: (order) =>
            order.isPaidOut ? (
              <>
                <span className={styles.besideLink}>
                  <Money amount={order.target_amount} asset={order.target_asset_symbol} />
                </span>
                <LegWorth order={order} amount={order.target_amount} asset={order.target_asset_symbol} />
              </>
            ) : (
              "–"
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

type LegWorthProps = { order: OrderRow; amount: string; asset: AssetSymbol };

/** The approximate value of an amount, at the swap's own rate between USDT and MOB. */
function LegWorth({ order, amount, asset }: LegWorthProps) {
  return (
    <span className={styles.worth}>
      <Worth amount={parseAmount(amount, asset)} asset={asset} pair={toPricedPair(order)} />
    </span>
  );
}

function NoMatches() {
  return (
    <EmptyState
      illustration={<LookingAntelope />}
      heading="h3"
      title="No swaps match"
      action={
        <ButtonLink to={paths.doger} preventScrollReset>
          Show all swaps
        </ButtonLink>
      }
    >
      <p>Try a shorter search or other dates.</p>
    </EmptyState>
  );
}

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
