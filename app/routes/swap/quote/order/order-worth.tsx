import type { Order } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import { Worth } from "~/components/locale/worth";
import type { AssetSymbol } from "~/lib/assets";
import { parseAmount } from "~/lib/money";
import { toPricedPair } from "~/lib/priced-pair";
import { formatExactMoney } from "~/lib/shown-amount";
import { toReceived } from "~/swaps/order-sums";
import type { StoredPayment } from "~/wallet/stored-payment";
import * as styles from "./order.css";
import { useOrderView } from "./order-view";

type Amount = { amount: string; asset: AssetSymbol };

/** The approximate value of the amount in the page's title, if it has one. Receipts are printed without it. */
export function TitleWorth() {
  const { order, situation } = useOrderView();
  const { underWay } = situation;
  const shown = underWay ? toSentAmount(order, underWay) : toTitleAmount(order);
  return shown ? (
    <p className={styles.screenOnly}>
      <OrderWorth {...shown} />
    </p>
  ) : null;
}

/** One of the order's amounts in full precision, with its approximate value. */
export function ValuedMoney({ amount, asset }: Amount) {
  const { numbers } = useLocale();
  return (
    <>
      {formatExactMoney(amount, asset, numbers)} <OrderWorth amount={amount} asset={asset} />
    </>
  );
}

function OrderWorth({ amount, asset }: Amount) {
  const { order } = useOrderView();
  return <Worth amount={parseAmount(amount, asset)} asset={asset} pair={toPricedPair(order)} />;
}

function toSentAmount(order: Order, { state, amount }: StoredPayment): Amount | null {
  return state === "asked" ? null : { amount, asset: order.source_asset_symbol };
}

function toTitleAmount(order: Order): Amount | null {
  switch (order.status) {
    case "awaiting_deposit":
      return { amount: order.source_amount, asset: order.source_asset_symbol };
    case "confirming":
      return { amount: toReceived(order), asset: order.source_asset_symbol };
    case "paying_out":
    case "completed":
      return { amount: order.target_amount, asset: order.target_asset_symbol };
    default:
      return null;
  }
}
