import { useEffect, useState } from "react";
import { registerOfflinePage } from "~/browser/offline-page";
import { FirstSwapSteps } from "~/components/first-swap/first-swap-steps";
import { useLocale } from "~/components/locale/use-locale";
import { RefusalNote } from "~/components/results/refusal-note";
import { Wide } from "~/components/shell/layouts";
import { type Refused, toRefused } from "~/lib/form-result";
import { isFinal, type OrderStatus } from "~/lib/order-states";
import { toQuotePath } from "~/lib/quote-path";
import { useRevalidationOnce } from "~/loaded-data/use-idle-revalidation";
import { isSettled } from "~/swaps/order-sums";
import { Card } from "~/ui/card";
import { FocusKeeper } from "~/ui/focus-keeper";
import { Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import type { QuoteResult } from "../action.server";
import type { OrderData } from "../loader.server";
import * as quoteStyles from "../quote.css";
import { useOnline } from "../use-online";
import { useServerClock } from "../use-server-clock";
import * as styles from "./order.css";
import { OrderAside } from "./order-aside";
import { OrderExtras } from "./order-extras";
import { OrderHead } from "./order-head";
import { OrderHelp } from "./order-help";
import { toSteadyLede } from "./order-labels";
import { OrderStage } from "./order-stage";
import { OrderTimes, toTimeLeftText } from "./order-times";
import { OrderViewProvider } from "./order-view";
import { PageUpdates } from "./page-updates";
import { PrintedReceipt, ReceiptLinks } from "./receipt";
import { toShownState, toTabTitle } from "./shown-state";
import { toSituation } from "./situation";
import { drawTabIcon } from "./tab-icon";
import { Transactions } from "./transactions";
import { useLiveOrder } from "./use-live-order";
import { useNotifications, useNotifyOnChange } from "./use-notifications";
import { useEndedPayment, usePaymentUnderWay } from "./use-payment-under-way";
import { useTabIcon } from "./use-tab-icon";

type Props = { data: OrderData; result: QuoteResult | undefined };

/** The page of an order: where the money is, what happens next and by when, and what to do now. */
export function OrderScreen({ data, result }: Props) {
  const { numbers } = useLocale();
  const { order: loaded, ...page } = data;
  const notifications = useNotifications();
  const order = useLiveOrder(loaded, notifications.notifiesHere);
  useNotifyOnChange(order, notifications);
  const isUpdated = !isSettled(order.status, order.incoming_txs, order.outgoing_txs);
  const nowMs = useServerClock(page.nowMs, isUpdated);
  const underWay = usePaymentUnderWay(order, page.pay && Number(page.pay.funding.chain_id), nowMs);
  const ended = useEndedPayment(order, underWay);
  const situation = toSituation(order, page, nowMs, { underWay, ended });
  const refused = useRefusalIn(order.status, toRefused(result));
  const shown = toShownState(order, situation, { numbers, nowMs, graceSeconds: page.rates.grace_seconds });
  const { title, lede } = shown;
  const view = { order, page, situation, nowMs, here: toQuotePath(page.quote) };

  const isOnline = useOnline();
  // No dependency array: newly loaded data changes the title to what `meta` returns, which can be older than an event.
  useEffect(() => {
    document.title = toTabTitle(order, situation, numbers);
  });
  useTabIcon(drawTabIcon(order));
  // A payment that the page was loaded with has left the chain, so it has to be paid again.
  useRevalidationOnce(situation.lacksAddress);
  useEffect(() => registerOfflinePage(window), []);

  return (
    <OrderViewProvider value={view}>
      {isUpdated ? (
        <noscript>
          <PageUpdates here={view.here} isStopped={page.isStopped} />
        </noscript>
      ) : null}
      <LiveRegion>{`${title}. ${order.status === "confirming" && !underWay ? toSteadyLede(order, numbers, nowMs) : lede}`}</LiveRegion>
      <LiveRegion>{situation.showsTimeToPay ? toTimeLeftText(order, nowMs) : ""}</LiveRegion>
      {page.isFirst && order.status === "awaiting_deposit" ? (
        <div className={quoteStyles.steps}>
          <FirstSwapSteps now="swap" />
        </div>
      ) : null}
      <Wide>
        <Card roomy className={styles.sheet}>
          <Stack gap={6}>
            <OrderHead shown={shown} />
            <LiveRegion visible>
              {isOnline ? null : (
                <Note tone="waiting" title="You're offline. Your swap is safe.">
                  <p>It continues without this page, which updates when you're back online.</p>
                </Note>
              )}
            </LiveRegion>
            <OrderTimes />
            <RefusalNote result={refused} />
            {/* An event can remove the control that has the focus. Once the order is over, it prints as a receipt. */}
            <FocusKeeper label={title} className={isFinal(order.status) ? styles.screenOnly : undefined}>
              <Stack gap={6}>
                <OrderStage notifications={notifications} />
              </Stack>
            </FocusKeeper>
            <OrderHelp />
            <PrintedReceipt order={order} origin={page.origin} />
            <Transactions order={order} explorers={page.explorers} />
            <ReceiptLinks order={order} />
          </Stack>
        </Card>
        <OrderAside>
          <OrderExtras loaded={loaded} link={result?.kind === "shared" ? result.link : undefined} />
        </OrderAside>
      </Wide>
    </OrderViewProvider>
  );
}

/** The last action's refusal, as long as the order's status has not changed since. */
function useRefusalIn(status: OrderStatus, refused: Refused | undefined): Refused | undefined {
  const [tried, setTried] = useState({ refused, status });
  if (tried.refused !== refused) setTried({ refused, status });
  return tried.status === status ? refused : undefined;
}
