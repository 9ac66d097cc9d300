import { Form, useNavigation } from "@remix-run/react";
import { type ReactNode, useState } from "react";
import type { Order } from "~/api/contract";
import { GroupedAddress } from "~/components/addresses/grouped-address";
import { useLocale } from "~/components/locale/use-locale";
import { canTopUp } from "~/components/order/order-rules";
import { toMissing, toReceived } from "~/components/order/order-sums";
import { formatDuration } from "~/lib/durations";
import { formatDecimalText } from "~/lib/number-style";
import { formatExactMoney, formatMoney } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { CountdownRing } from "~/ui/countdown-ring";
import { DataList, type DataRow } from "~/ui/data-list";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import type { StoredPayment } from "~/wallet/stored-payment";
import { toAcceptedRows, toRefundRows, toSwapRows } from "./decision-outcomes";
import type { OrderData } from "./load.server";
import { toOfferedChoices } from "./offered-choices";
import * as styles from "./order.css";
import { PayPanel } from "./pay-panel";
import { isTooSmall } from "./too-small";

type Props = {
  order: Order;
  data: OrderData;
  nowMs: number;
  action: string;
  /** A payment of this browser that the exchange has not seen yet. */
  underWay: StoredPayment | null;
};

/** The choices when a deposit differs from the quote, each with its outcome. The first is what most people want. */
export function DecisionPanel({ order, data, nowMs, action, underWay }: Props) {
  const { numbers } = useLocale();
  const navigation = useNavigation();
  // If the payment is cancelled or fails, its outcome stays visible.
  const [wasUnderWay, setWasUnderWay] = useState(false);
  if (underWay && !wasUnderWay) setWasUnderWay(true);
  const { decision } = order;
  if (!decision) return null;
  const pendingIntent = navigation.formData?.get("intent");
  const show = (amount: string) => formatMoney(amount, order.source_asset_symbol, numbers);
  const received = toReceived(order);
  const offered = toOfferedChoices(order, decision, data.rates, nowMs);
  const { canAccept, lockEndsMs, offer, canRefund, refund, onlyRefund } = offered;
  const offersTopUp = underWay !== null || canTopUp(order, nowMs);
  const offerEndsMs = offer ? Date.parse(offer.expires_at) : 0;
  const cost = data.rates.refund_cost[order.source_asset_symbol];

  return (
    <Stack gap={4}>
      {underWay ? (
        <Note
          tone="waiting"
          title={
            underWay.state === "asked"
              ? "You don't have to choose if your wallet sends the rest"
              : "You don't have to choose: your payment is on its way"
          }
        >
          <p>
            If it arrives in time, we swap everything at the locked price. If you choose now, your choice covers only
            what has arrived, and we send this payment back, less the network fee.
          </p>
        </Note>
      ) : null}
      <Form method="post" action={action}>
        <input type="hidden" name="order" value={order.id} />
        <Stack gap={4}>
          {offered.lacksOffer ? <NoOfferNote order={order} rates={data.rates} canRefund={canRefund} /> : null}
          {offered.count > 0 ? (
            <p>{offered.count > 1 ? "Choose one. You can't change it later." : "You can't change this later."}</p>
          ) : null}
          {canAccept ? (
            <Choice
              title="Swap what arrived"
              rows={toAcceptedRows(order, data.rates, numbers)}
              addressName={data.deliveryName}
              address={order.delivery_address}
              note={
                <TimeLeft leftMs={lockEndsMs - nowMs} totalMs={lockEndsMs - Date.parse(order.created_at)}>
                  {`The locked price is valid for ${formatDuration(lockEndsMs - nowMs)}. After that, we offer you a new price, if we can.`}
                </TimeLeft>
              }
            >
              <Button
                kind={underWay ? "secondary" : "primary"}
                size="large"
                full
                name="intent"
                value="accept"
                pending={pendingIntent === "accept" && "Starting the swap…"}
              >
                {`Swap ${show(received)} at the locked price`}
              </Button>
            </Choice>
          ) : null}
          {offer ? (
            <Choice
              title="Swap what arrived at a new price"
              rows={toSwapRows(offer, data.rates, numbers)}
              addressName={data.deliveryName}
              address={order.delivery_address}
              note={
                <TimeLeft leftMs={offerEndsMs - nowMs} totalMs={data.rates.quote_ttl_seconds * 1000}>
                  {offerEndsMs > nowMs
                    ? `This price is valid for ${formatDuration(offerEndsMs - nowMs)}. After that, we show you a new one before you decide.`
                    : "Getting a new price"}
                </TimeLeft>
              }
            >
              <input type="hidden" name="offer" value={offer.id} />
              <Button
                kind="primary"
                size="large"
                full
                name="intent"
                value="requote"
                pending={pendingIntent === "requote" && "Starting the swap…"}
              >
                {`Swap for ${formatMoney(offer.target_amount, offer.target_asset_symbol, numbers)} at the new price`}
              </Button>
            </Choice>
          ) : null}
          {canRefund ? (
            <Choice
              title="Get it back"
              rows={toRefundRows(order, { cost, refund }, numbers)}
              addressName={data.refundName}
              address={order.refund_address}
            >
              <Button
                kind={onlyRefund && !offersTopUp ? "primary" : "secondary"}
                size="large"
                full
                name="intent"
                value="refund"
                pending={pendingIntent === "refund" && "Starting the refund…"}
              >
                {`Send ${show(refund)} back to me`}
              </Button>
            </Choice>
          ) : null}
          {offered.isRefundable ? null : (
            <p className={`${text.small} ${text.muted}`}>
              {`${show(received)} is less than the network fee of ${show(cost)} for sending it back. ${offersTopUp ? "Unless you send more, we'll" : "We'll"} hold it and send it back once the fee is low enough.`}
            </p>
          )}
        </Stack>
      </Form>
      {underWay || (offersTopUp && data.pay) ? (
        <div className={styles.rest}>
          <Disclosure
            summary={
              underWay
                ? "Your payment"
                : `Or send the missing ${formatExactMoney(toMissing(order), order.source_asset_symbol, numbers)} within ${formatDuration(Date.parse(order.expires_at) - nowMs)}`
            }
            open={onlyRefund || wasUnderWay}
          >
            <PayPanel order={order} data={data} underWay={underWay} isSecondary={!onlyRefund} />
          </Disclosure>
        </div>
      ) : null}
    </Stack>
  );
}

type NoOfferProps = { order: Order; rates: OrderData["rates"]; canRefund: boolean };

/** Why there is no new price for what has arrived. */
function NoOfferNote({ order, rates, canRefund }: NoOfferProps) {
  const { numbers } = useLocale();
  if (isTooSmall(order, rates)) {
    const received = formatMoney(toReceived(order), order.source_asset_symbol, numbers);
    const minimum = `${formatDecimalText(rates.limits.min_usdt, numbers)}\u00a0USDT`;
    const isBelow = order.source_asset_symbol === "USDT" ? "below" : "now worth less than";
    return <Note tone="waiting" title={`${received} is ${isBelow} our minimum of ${minimum}, so we can't swap it.`} />;
  }
  return (
    <Note tone="waiting" title="We can't offer a new price for this amount right now">
      <p>
        {canRefund ? "You can get your money back, or check" : "Check"} this page again while there is still time to
        decide. If we can offer a price by then, it appears here.
      </p>
    </Note>
  );
}

type ChoiceProps = {
  title: string;
  rows: readonly DataRow[];
  addressName: string;
  address: string;
  note?: ReactNode;
  /** The button that makes this choice. */
  children: ReactNode;
};

/** A choice that cannot be undone: first its outcome, then its button. */
function Choice({ title, rows, addressName, address, note, children }: ChoiceProps) {
  return (
    <section className={styles.choice} aria-label={title}>
      <h2 className={text.heading}>{title}</h2>
      <div>
        <DataList rows={rows} />
        <Disclosure
          summary={
            <span className={styles.receiver}>
              <span className={text.muted}>To</span> <span>{addressName}</span>
            </span>
          }
        >
          <GroupedAddress address={address} />
        </Disclosure>
      </div>
      {note}
      {children}
    </section>
  );
}

type TimeLeftProps = { leftMs: number; totalMs: number; children: string };

/** How long a price is valid, and what follows. */
function TimeLeft({ leftMs, totalMs, children }: TimeLeftProps) {
  return (
    <Note tone={leftMs > 0 ? "good" : "waiting"} icon={<CountdownRing left={Math.max(0, leftMs)} total={totalMs} />}>
      <p>{children}</p>
    </Note>
  );
}
