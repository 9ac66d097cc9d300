import { Form, useNavigation } from "@remix-run/react";
import type { Decision, Order } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import { toMissing, toReceived, toRefund } from "~/components/order/order-sums";
import { formatDuration } from "~/lib/durations";
import { formatMoney, formatRate } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { CountdownRing } from "~/ui/countdown-ring";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import type { OrderData } from "./load.server";
import { PayPanel } from "./pay-panel";

type Props = { order: Order; data: OrderData; nowMs: number; action: string };

/** The choices when a deposit differs from the quote. The first one is what most people want. */
export function DecisionPanel({ order, data, nowMs, action }: Props) {
  const { numbers } = useLocale();
  const navigation = useNavigation();
  const { decision } = order;
  if (!decision) return null;
  const pendingIntent = navigation.formData?.get("intent");
  const show = (amount: string) => formatMoney(amount, order.source_asset_symbol, numbers);
  const received = toReceived(order);
  const missing = toMissing(order);
  const isAllowed = (choice: Decision["choices"][number]) => decision.choices.includes(choice);
  // Do not suggest a payment that may arrive too late.
  const isInTime = Date.parse(order.expires_at) > nowMs;
  const canTopUp = isInTime && missing !== "0" && ["underpaid", "below_minimum"].includes(decision.reason);
  const onlyRefund = !isAllowed("accept") && !isAllowed("requote");
  const cost = data.rates.refund_cost[order.source_asset_symbol];
  const refund = toRefund(order, cost);
  const isRefundable = refund !== "0";
  const calculation = refund === received ? "" : `: ${show(received)} received, minus ${show(cost)} network fee`;

  return (
    <Stack gap={6}>
      <Form method="post" action={action}>
        <input type="hidden" name="order" value={order.id} />
        <Stack gap={3}>
          {isAllowed("accept") ? (
            <Button
              kind="primary"
              size="large"
              full
              name="intent"
              value="accept"
              pending={pendingIntent === "accept" && "Starting the swap…"}
            >
              Swap the {show(received)} we received at the locked price
            </Button>
          ) : null}
          {isAllowed("requote") && decision.offer ? (
            <Offer order={order} offer={decision.offer} ttlMs={data.rates.quote_ttl_seconds * 1000} nowMs={nowMs} />
          ) : null}
          {isAllowed("requote") && decision.offer ? (
            <Button
              kind="primary"
              size="large"
              full
              name="intent"
              value="requote"
              pending={pendingIntent === "requote" && "Starting the swap…"}
            >
              Swap at the new price
            </Button>
          ) : null}
          {isAllowed("refund") && isRefundable ? (
            <Button
              kind={onlyRefund && !canTopUp ? "primary" : "secondary"}
              size="large"
              full
              name="intent"
              value="refund"
              pending={pendingIntent === "refund" && "Starting the refund…"}
            >
              Send {show(refund)} back to me
            </Button>
          ) : null}
          <p className={`${text.small} ${text.muted}`}>
            {isRefundable
              ? `A refund goes to ${data.refundName}${calculation}. You can't change your choice later.`
              : `${show(received)} is less than the ${show(cost)} it costs to send it back. Unless you send more, we keep holding it for this swap.`}
          </p>
        </Stack>
      </Form>
      {canTopUp && data.pay ? (
        <Disclosure
          summary={`Or send the missing ${show(missing)} within ${formatDuration(Date.parse(order.expires_at) - nowMs)}`}
          open={onlyRefund}
        >
          <PayPanel order={order} data={data} pay={data.pay} amount={missing} isSecondary={!onlyRefund} />
        </Disclosure>
      ) : null}
    </Stack>
  );
}

function Offer({
  order,
  offer,
  ttlMs,
  nowMs,
}: {
  order: Order;
  offer: NonNullable<Decision["offer"]>;
  ttlMs: number;
  nowMs: number;
}) {
  const { numbers } = useLocale();
  const leftMs = Math.max(0, Date.parse(offer.expires_at) - nowMs);
  return (
    <>
      <input type="hidden" name="offer" value={offer.id} />
      <Note
        tone={leftMs > 0 ? "good" : "waiting"}
        icon={<CountdownRing left={leftMs} total={ttlMs} />}
        title={`New price: ${formatMoney(offer.target_amount, order.target_asset_symbol, numbers)}`}
      >
        <Row>
          <span>
            1 {order.source_asset_symbol} = {formatRate(offer.exchange_rate, numbers)} {order.target_asset_symbol},{" "}
            {leftMs > 0 ? `valid for ${Math.ceil(leftMs / 1000)} more seconds` : "getting a new one"}
          </span>
        </Row>
      </Note>
    </>
  );
}
