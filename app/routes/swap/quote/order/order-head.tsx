import { toOrderNumber } from "~/lib/order-number";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Row } from "~/ui/layout";
import { AmountText } from "./amount-text";
import * as styles from "./order.css";
import { useOrderView } from "./order-view";
import { TitleWorth } from "./order-worth";
import type { ShownState } from "./shown-state";

/** Which order this is, and where the money is. */
export function OrderHead({ shown: { title, lede, badge } }: { shown: ShownState }) {
  const { order, situation } = useOrderView();
  return (
    <div className={styles.head}>
      <Row justify="between" gap={2}>
        <span className={`${text.small} ${text.muted}`}>
          Swap {order.source_asset_symbol} to {order.target_asset_symbol},{" "}
          <span translate="no">{toOrderNumber(order.quote_id)}</span>
        </span>
        <Badge tone={badge.tone}>{badge.label}</Badge>
      </Row>
      <h1 className={/\d/.test(title) ? text.titleAmount : text.title}>
        <AmountText>{title}</AmountText>
      </h1>
      {situation.isInGrace ? null : <TitleWorth />}
      <p className={text.muted}>{lede}</p>
    </div>
  );
}
