import { Form, useNavigation } from "@remix-run/react";
import type { Decision, Order } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import { toMissing, toReceived, toRefund } from "~/components/order/order-sums";
import { toDurationWords } from "~/lib/durations";
import { formatDecimalText } from "~/lib/number-style";
import { showMoney, toRoughRate } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { CountdownRing } from "~/ui/countdown-ring";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import type { OrderData } from "./load.server";
import { PayPanel } from "./pay-panel";

type Props = { order: Order; data: OrderData; nowMs: number; action: string };

/** What came is not what was agreed. Every way on, in words; the first one is what most will want. */
export function DecisionPanel({ order, data, nowMs, action }: Props) {
  const { numbers } = useLocale();
  const navigation = useNavigation();
  const { decision } = order;
  if (!decision) return null;
  const working = navigation.formData?.get("intent");
  const show = (amount: string) => showMoney(amount, order.source_asset_symbol, numbers);
  const received = toReceived(order);
  const missing = toMissing(order);
  const may = (choice: Decision["choices"][number]) => decision.choices.includes(choice);
  // Nobody is asked to begin a payment that may come too late.
  const inTime = Date.parse(order.expires_at) > nowMs;
  const canTopUp = inTime && missing !== "0" && ["underpaid", "below_minimum"].includes(decision.reason);
  const onlyRefund = !may("accept") && !may("requote");
  const cost = data.rates.refund_cost[order.source_asset_symbol];
  const refund = toRefund(order, cost);
  const returnable = refund !== "0";
  const shares = refund === received ? "" : `: ${show(received)} came, ${show(cost)} pays the network`;

  return (
    <Stack gap={6}>
      <Form method="post" action={action}>
        <input type="hidden" name="order" value={order.id} />
        <Stack gap={3}>
          {may("accept") ? (
            <Button
              kind="primary"
              size="large"
              full
              name="intent"
              value="accept"
              pending={working === "accept" && "Going on with what came…"}
            >
              Swap the {show(received)} that came, at the locked price
            </Button>
          ) : null}
          {may("requote") && decision.offer ? (
            <Offer order={order} offer={decision.offer} ttlMs={data.rates.quote_ttl_seconds * 1000} nowMs={nowMs} />
          ) : null}
          {may("requote") && decision.offer ? (
            <Button
              kind="primary"
              size="large"
              full
              name="intent"
              value="requote"
              pending={working === "requote" && "Going on at the new price…"}
            >
              Swap it at this price
            </Button>
          ) : null}
          {may("refund") && returnable ? (
            <Button
              kind={onlyRefund && !canTopUp ? "primary" : "secondary"}
              size="large"
              full
              name="intent"
              value="refund"
              pending={working === "refund" && "Sending it back…"}
            >
              Send {show(refund)} back to me
            </Button>
          ) : null}
          <p className={`${text.small} ${text.muted}`}>
            {returnable
              ? `A refund goes to ${data.refundName}${shares}. Once chosen it cannot be changed.`
              : `${show(received)} is less than sending it back costs (${show(cost)}). Without more of it, it stays held for this swap.`}
          </p>
        </Stack>
      </Form>
      {canTopUp && data.pay ? (
        <Disclosure
          summary={`Or send the missing ${show(missing)} within ${toDurationWords(Date.parse(order.expires_at) - nowMs)}`}
          open={onlyRefund}
        >
          <PayPanel order={order} data={data} pay={data.pay} amount={missing} second={!onlyRefund} />
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
        title={`A new price: ${showMoney(offer.target_amount, order.target_asset_symbol, numbers)}`}
      >
        <Row>
          <span>
            1 {order.source_asset_symbol} = {formatDecimalText(toRoughRate(offer.exchange_rate), numbers)}{" "}
            {order.target_asset_symbol},{" "}
            {leftMs > 0 ? `for ${Math.ceil(leftMs / 1000)} more seconds` : "a fresh one is on its way"}
          </span>
        </Row>
      </Note>
    </>
  );
}
