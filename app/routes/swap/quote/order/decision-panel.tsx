import { Form } from "@remix-run/react";
import { useState } from "react";
import type { Decision, Quote } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import { formatDuration } from "~/lib/durations";
import { formatDecimalText } from "~/lib/number-style";
import type { DecisionChoice } from "~/lib/order-states";
import { formatExactMoney, formatMoney } from "~/lib/shown-amount";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { canTopUp, isTooSmall, toRefundCost } from "~/swaps/order-rules";
import { toDecidedAmount, toMissing, toUnconfirmed } from "~/swaps/order-sums";
import { Button } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { useJustChanged } from "../use-just-changed";
import { Choice, TimeLeft } from "./decision-choice";
import { toAcceptedRows, toRefundRows, toSwapRows } from "./decision-outcomes";
import { type OfferedChoices, toOfferedChoices } from "./offered-choices";
import * as styles from "./order.css";
import { useOrderView } from "./order-view";
import { PayPanel } from "./pay-panel";

/** The choices when a deposit differs from the quote, each with its outcome. The first is what most people want. */
export function DecisionPanel() {
  const { decision } = useOrderView().order;
  return decision ? <Choices decision={decision} /> : null;
}

function Choices({ decision }: { decision: Decision }) {
  const { numbers } = useLocale();
  const { order, page, situation, nowMs, here } = useOrderView();
  const { underWay, isStuck } = situation;
  const { rates } = page;
  const cost = toRefundCost(order, rates);
  const offered = toOfferedChoices(order, decision, { cost, graceSeconds: rates.grace_seconds, nowMs });
  const { canAccept, offer, canRefund } = offered;
  // If one choice changes or disappears, the buttons of the others may move.
  const isNew = useJustChanged([toDecidedAmount(order), canAccept, offer?.id, canRefund, offered.refund].join());
  const offersTopUp = underWay !== null || canTopUp(order, nowMs);
  /** What the customer can do with an amount that can't be sent back. */
  const others = [canAccept || offer ? "swap it" : "", offersTopUp ? "send more" : ""].filter(Boolean).join(" or ");
  const show = (amount: string) => formatMoney(amount, order.source_asset_symbol, numbers);
  return (
    <Stack gap={4}>
      {underWay ? <UnderWayNote isAsked={underWay.state === "asked"} /> : null}
      <Form method="post" action={here}>
        <input type="hidden" name="order" value={order.id} />
        <Stack gap={4}>
          <UnconfirmedNote />
          {offered.lacksOffer ? <NoOfferNote canRefund={canRefund} /> : null}
          {offered.count > 0 ? (
            <p>{offered.count > 1 ? "Choose one. You can't change it later." : "You can't change this later."}</p>
          ) : null}
          {canAccept ? (
            <AcceptChoice offered={offered} isNew={isNew} kind={underWay ? "secondary" : "primary"} />
          ) : null}
          {offer ? <RequoteChoice offer={offer} isNew={isNew} /> : null}
          {canRefund ? (
            <RefundChoice
              offered={offered}
              isNew={isNew}
              kind={offered.onlyRefund && !offersTopUp ? "primary" : "secondary"}
            />
          ) : null}
          {offered.isRefundable ? null : (
            <p className={`${text.small} ${text.muted}`}>
              {`${show(toDecidedAmount(order))} is less than the network fee of ${show(cost)} for sending it back. ${others ? `Unless you ${others}, we'll` : "We'll"} hold it and send it back once the fee is low enough.`}
            </p>
          )}
          {isStuck && !underWay ? <CloseSwap isNew={isNew} /> : null}
        </Stack>
      </Form>
      <TopUp offered={offered} />
    </Stack>
  );
}

/** A choice made now does not cover a deposit that is being confirmed: it is refunded separately. */
function UnconfirmedNote() {
  const { order } = useOrderView();
  const { numbers } = useLocale();
  const unconfirmed = toUnconfirmed(order);
  if (unconfirmed === "0") return null;
  return (
    <Note tone="waiting">
      <p>
        {`Another ${formatMoney(unconfirmed, order.source_asset_symbol, numbers)} is being confirmed. If you wait for it, your choice covers it too.`}
      </p>
    </Note>
  );
}

/** Says that the rest may still arrive, so that the customer may not have to choose. */
function UnderWayNote({ isAsked }: { isAsked: boolean }) {
  const title = isAsked
    ? "You don't have to choose if your wallet sends the rest"
    : "You don't have to choose: your payment is on its way";
  return (
    <Note tone="waiting" title={title}>
      <p>
        If it arrives in time, we swap everything at the locked price. If you choose now, your choice covers only what
        has arrived, and we send this payment back, less the network fee.
      </p>
    </Note>
  );
}

type ButtonProps = {
  /** Whether the choices have just changed: the button then ignores clicks. */
  isNew: boolean;
  kind: "primary" | "secondary";
};
type DecisionButtonProps = ButtonProps & { choice: DecisionChoice; pending: string; children: string };

function DecisionButton({ choice, isNew, pending, ...button }: DecisionButtonProps) {
  const isSending = useIsSending();
  return (
    <Button
      {...button}
      size="large"
      full
      name="intent"
      value={choice}
      aria-disabled={isNew}
      pending={isSending({ intent: choice }) && pending}
    />
  );
}

type ChoiceProps = ButtonProps & { offered: OfferedChoices };

function AcceptChoice({ offered: { lockEndsMs }, ...button }: ChoiceProps) {
  const { order, page, nowMs } = useOrderView();
  const { numbers } = useLocale();
  const leftMs = lockEndsMs - nowMs;
  return (
    <Choice
      title="Swap what arrived"
      rows={toAcceptedRows(order, page.rates, numbers)}
      addressName={page.deliveryName}
      address={order.delivery_address}
      note={
        <TimeLeft leftMs={leftMs} totalMs={lockEndsMs - Date.parse(order.created_at)}>
          {`The locked price is valid for ${formatDuration(leftMs)}. After that, we offer you a new price, if we can.`}
        </TimeLeft>
      }
    >
      <DecisionButton {...button} choice="accept" pending="Starting the swap…">
        {`Swap ${formatMoney(toDecidedAmount(order), order.source_asset_symbol, numbers)} at the locked price`}
      </DecisionButton>
    </Choice>
  );
}

function RequoteChoice({ offer, isNew }: { offer: Quote; isNew: boolean }) {
  const { order, page, nowMs } = useOrderView();
  const { numbers } = useLocale();
  const leftMs = Date.parse(offer.expires_at) - nowMs;
  return (
    <Choice
      title="Swap what arrived at a new price"
      rows={toSwapRows(offer, page.rates, numbers)}
      addressName={page.deliveryName}
      address={order.delivery_address}
      note={
        <TimeLeft leftMs={leftMs} totalMs={page.rates.quote_ttl_seconds * 1000}>
          {leftMs > 0
            ? `This price is valid for ${formatDuration(leftMs)}. After that, we show you a new one before you decide.`
            : "Getting a new price"}
        </TimeLeft>
      }
    >
      <input type="hidden" name="offer" value={offer.id} />
      <DecisionButton choice="requote" isNew={isNew} kind="primary" pending="Starting the swap…">
        {`Swap for ${formatMoney(offer.target_amount, offer.target_asset_symbol, numbers)} at the new price`}
      </DecisionButton>
    </Choice>
  );
}

function RefundChoice({ offered: { refund }, ...button }: ChoiceProps) {
  const { order, page } = useOrderView();
  const { numbers } = useLocale();
  const { source_asset_symbol: asset } = order;
  return (
    <Choice
      title="Get it back"
      rows={toRefundRows(order, { cost: toRefundCost(order, page.rates), refund }, numbers)}
      addressName={page.refundName}
      address={order.refund_address}
    >
      <DecisionButton {...button} choice="refund" pending="Starting the refund…">
        {`Send ${formatMoney(refund, asset, numbers)} back to me`}
      </DecisionButton>
    </Choice>
  );
}

/** Ends a swap that has nothing to wait for. What has arrived stays set aside. */
function CloseSwap({ isNew }: { isNew: boolean }) {
  return (
    <>
      <p>You can close this swap now. We still send the money back if the fee falls.</p>
      <DecisionButton choice="refund" isNew={isNew} kind="secondary" pending="Closing the swap…">
        Close this swap
      </DecisionButton>
    </>
  );
}

/** How to send the rest, or what happened to it. */
function TopUp({ offered: { onlyRefund } }: Pick<ChoiceProps, "offered">) {
  const { numbers } = useLocale();
  const { order, situation, nowMs } = useOrderView();
  const { underWay, ended, canPay } = situation;
  // If the payment is cancelled or fails, that stays visible.
  const [wasUnderWay, setWasUnderWay] = useState(false);
  if (underWay && !wasUnderWay) setWasUnderWay(true);
  if (!underWay && !ended && !canPay) return null;
  const missing = formatExactMoney(toMissing(order), order.source_asset_symbol, numbers);
  const left = formatDuration(Date.parse(order.expires_at) - nowMs);
  return (
    <div className={styles.rest}>
      <Disclosure
        summary={underWay || !canPay ? "Your payment" : `Or send the missing ${missing} within ${left}`}
        open={onlyRefund || wasUnderWay}
      >
        <PayPanel isSecondary={!onlyRefund} />
      </Disclosure>
    </div>
  );
}

/** Why there is no new price for what has arrived. */
function NoOfferNote({ canRefund }: { canRefund: boolean }) {
  const { numbers } = useLocale();
  const { order, page } = useOrderView();
  const { rates } = page;
  if (isTooSmall(order, rates)) {
    const received = formatMoney(toDecidedAmount(order), order.source_asset_symbol, numbers);
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
