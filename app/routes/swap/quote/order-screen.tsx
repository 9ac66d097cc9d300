import { useEffect, useState } from "react";
import { keepOfflinePage } from "~/browser/keep-offline-page";
import { useLocale } from "~/components/locale/use-locale";
import * as styles from "~/components/order/order.css";
import {
  graceBadge,
  isGrace,
  sentBadge,
  toGraceWords,
  toOrderWords,
  toSentWords,
  toStatusBadge,
  toTabTitle,
} from "~/components/order/order-words";
import { drawTabIcon } from "~/components/order/tab-icon";
import { toTimelineSteps } from "~/components/order/timeline-steps";
import { Transactions } from "~/components/order/transactions";
import { useLiveOrder } from "~/components/order/use-live-order";
import { useOnline } from "~/components/order/use-online";
import { useTabIcon } from "~/components/order/use-tab-icon";
import { useServerClock } from "~/components/quote/use-server-clock";
import { Wide } from "~/components/shell/arrangements";
import { isFinal } from "~/lib/order-states";
import { paths } from "~/lib/paths";
import { toQuotePath } from "~/lib/quote-path";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import { Timeline } from "~/ui/timeline";
import type { QuoteResult } from "./act.server";
import type { OrderData } from "./load.server";
import { OrderExtras } from "./order-extras";
import { OrderStage } from "./order-stage";
import { OrderTimes } from "./order-times";
import { Receipt } from "./receipt";
import { useNews } from "./use-news";

type Props = { data: OrderData; result: QuoteResult | undefined };

const refreshSeconds = 15;

/** Where is my money, what happens next, by when, what do I do. */
export function OrderScreen({ data, result }: Props) {
  const { numbers } = useLocale();
  const order = useLiveOrder(data.order);
  const nowMs = useServerClock(data.nowMs);
  const grace = isGrace(order, nowMs);
  const [hasPaid, setPaid] = useState(false);
  const sent = hasPaid && order.status === "awaiting_deposit";
  const closed = grace || sent;
  const words = sent
    ? toSentWords(order, numbers)
    : grace
      ? toGraceWords(data.rates.grace_seconds)
      : toOrderWords(order, numbers, nowMs);
  const { title, lede } = words;
  const { word, tone } = sent ? sentBadge : grace ? graceBadge : toStatusBadge(order);
  const tabTitle = toTabTitle(order, numbers, nowMs);
  const here = toQuotePath(data.quote);

  const online = useOnline();
  const news = useNews(order.status, words);

  useEffect(() => {
    document.title = tabTitle;
  }, [tabTitle]);
  useTabIcon(drawTabIcon(order));
  useEffect(() => keepOfflinePage(window), []);

  return (
    <>
      {isFinal(order.status) ? null : (
        <noscript>
          <meta httpEquiv="refresh" content={String(refreshSeconds)} />
          <p className={styles.byItself}>
            This page asks for news by itself every {refreshSeconds} seconds.{" "}
            <a href={paths.quote(order.quote_id)}>Ask now</a>
          </p>
        </noscript>
      )}
      <LiveRegion>{`${title}. ${lede}`}</LiveRegion>
      <Wide>
        <Card roomy className={styles.sheet}>
          <Stack gap={6}>
            <div className={styles.head}>
              <Row justify="between" gap={2}>
                <span className={`${text.small} ${text.muted}`}>
                  Swap {order.source_asset_symbol} to {order.target_asset_symbol}
                </span>
                <Badge tone={tone}>{word}</Badge>
              </Row>
              <h1 className={text.titleAmount}>{title}</h1>
              <p className={text.muted}>{lede}</p>
            </div>
            {online ? null : (
              <Note tone="waiting" title="You are offline. Your order is safe." live>
                <p>It goes on without this page, which picks up again by itself.</p>
              </Note>
            )}
            <OrderTimes
              order={order}
              nowMs={nowMs}
              closed={closed}
              refundCost={data.rates.refund_cost[order.source_asset_symbol]}
            />
            {result ? <Note tone="danger" title={result.error} live /> : null}
            <OrderStage
              order={order}
              data={data}
              nowMs={nowMs}
              grace={grace}
              news={news}
              action={here}
              onPaying={setPaid}
            />
            <Transactions order={order} explorers={data.explorers} />
            <Receipt order={order} />
          </Stack>
        </Card>
        <Card as="aside" className={styles.onScreen}>
          <Stack gap={6}>
            <Timeline
              label="What happens with this swap"
              steps={toTimelineSteps(order, {
                deliveryName: data.deliveryName,
                requiredConfirmations: data.rates.confirmations[order.source_asset_symbol],
                style: numbers,
                grace,
              })}
            />
            <OrderExtras order={order} data={data} closed={closed} action={here} />
          </Stack>
        </Card>
      </Wide>
    </>
  );
}
