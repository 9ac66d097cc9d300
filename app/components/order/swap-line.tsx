import { Link } from "@remix-run/react";
import type { Order } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import { paths } from "~/lib/paths";
import { showMoney } from "~/lib/shown-amount";
import { Badge } from "~/ui/badge";
import { toStatusBadge } from "./order-words";

type Props = { order: Order; className?: string; nameClassName?: string };

/** A swap in a line, leading to its page. */
export function SwapLine({ order, className, nameClassName }: Props) {
  const { numbers } = useLocale();
  const { word, tone } = toStatusBadge(order);
  return (
    <Link to={paths.quote(order.quote_id)} prefetch="intent" className={className}>
      <span className={nameClassName}>
        {showMoney(order.source_amount, order.source_asset_symbol, numbers)} to {order.target_asset_symbol}
      </span>
      <Badge tone={tone}>{word}</Badge>
    </Link>
  );
}
