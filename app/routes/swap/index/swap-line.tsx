import { Link } from "@remix-run/react";
import type { CurrentRates, Order } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import { paths } from "~/lib/paths";
import { formatMoney } from "~/lib/shown-amount";
import { toStanding } from "~/swaps/order-rules";
import { toStatusBadge } from "~/swaps/status-badges";
import { Badge } from "~/ui/badge";

/** Swaps with what their badges depend on. */
export type SwapsProps = { orders: Order[]; rates: CurrentRates; nowMs: number };

type Props = { order: Order; rates: CurrentRates; nowMs: number; className?: string; nameClassName?: string };

/** One swap as a link to its page. */
export function SwapLine({ order, rates, nowMs, className, nameClassName }: Props) {
  const { numbers } = useLocale();
  const { label, tone } = toStatusBadge(order, toStanding(order, rates, nowMs));
  return (
    <Link to={paths.quote(order.quote_id)} prefetch="intent" className={className}>
      <span className={nameClassName}>
        {formatMoney(order.source_amount, order.source_asset_symbol, numbers)} to {order.target_asset_symbol}
      </span>
      <Badge tone={tone}>{label}</Badge>
    </Link>
  );
}
