import { Form } from "@remix-run/react";
import type { Order } from "~/api/contract";
import { GroupedAddress } from "~/components/addresses/grouped-address";
import { DateTime } from "~/components/locale/date-time";
import { useLocale } from "~/components/locale/use-locale";
import { ContactSupport } from "~/components/shell/contact-support";
import { formatDuration } from "~/lib/durations";
import { toOrderNumber } from "~/lib/order-number";
import { isOpen } from "~/lib/order-states";
import { paths } from "~/lib/paths";
import { formatExactMoney } from "~/lib/shown-amount";
import { useSiteTerms } from "~/loaded-data/root-data";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { DataList } from "~/ui/data-list";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { QrCode } from "~/ui/qr-code";
import * as styles from "./order.css";
import { useOrderView } from "./order-view";
import { ValuedMoney } from "./order-worth";
import { TrackingLink } from "./tracking-link";

type Props = {
  /** The order as it was loaded: creating a tracking link sends no event. */
  loaded: Order;
  /** A tracking link that was just created. */
  link: string | undefined;
};

/** Details and actions that are rarely needed: amounts and addresses, the page on a phone, cancelling. */
export function OrderExtras({ loaded, link }: Props) {
  const { order, situation, here } = useOrderView();
  return (
    <div>
      <SwapDetails />
      {isOpen(order.status) ? <ContinueOnPhone /> : null}
      <TrackingLink order={loaded} action={here} link={link} />
      {order.status === "awaiting_deposit" ? <IfPaymentDiffers /> : null}
      <OrderSupport />
      {situation.canCancel ? <CancelSwap /> : null}
    </div>
  );
}

function SwapDetails() {
  const { order, page } = useOrderView();
  const { numbers } = useLocale();
  const rows = [
    {
      key: "from",
      term: "You send",
      value: <ValuedMoney amount={order.source_amount} asset={order.source_asset_symbol} />,
    },
    {
      key: "to",
      term: "You receive",
      value: <ValuedMoney amount={order.target_amount} asset={order.target_asset_symbol} />,
    },
    {
      key: "fee",
      term: "Fee, included",
      value: formatExactMoney(order.fee_amount, order.fee_asset_symbol, numbers),
    },
    { key: "at", term: "Price locked", value: <DateTime at={order.created_at} /> },
    { key: "until", term: "Pay by", value: <DateTime at={order.expires_at} show="day-time-and-zone" /> },
  ];
  return (
    <Disclosure summary="Swap details">
      <Stack gap={3}>
        <DataList rows={rows} />
        <p className={`${text.small} ${text.muted}`}>Paid out to {page.deliveryName}</p>
        <GroupedAddress address={order.delivery_address} />
        <p className={`${text.small} ${text.muted}`}>If something goes wrong, refunded to {page.refundName}</p>
        <GroupedAddress address={order.refund_address} />
      </Stack>
    </Disclosure>
  );
}

function ContinueOnPhone() {
  const { page } = useOrderView();
  return (
    <div className={styles.notHandheld}>
      <Disclosure summary="Continue on my phone">
        <Stack gap={3}>
          <p>
            Scan this code with your phone and sign in there with your passkey. Signal payments work only on a phone.
          </p>
          <p>
            Is your passkey only on this computer? Create a link below and open it on your phone to follow the swap
            there. Adding a passkey there with an e-mail code counts as account recovery.
          </p>
          <QrCode drawing={page.pageCode} label="QR code with the address of this page." />
        </Stack>
      </Disclosure>
    </div>
  );
}

function IfPaymentDiffers() {
  const { page } = useOrderView();
  const { decisionTtlMs } = useSiteTerms();
  return (
    <Disclosure summary="What if I pay too little, too much or too late?">
      <p>
        Your money is safe. If you pay too little or too late, this page asks you what to do. If you don't choose within{" "}
        {formatDuration(decisionTtlMs)}, we refund the money to {page.refundName}, less the network fee. If you pay too
        much, we swap a small excess and refund a larger one, less the network fee. More about paying{" "}
        <a href={paths.answer("too-little")}>too little</a>, <a href={paths.answer("too-much")}>too much</a>,{" "}
        <a href={paths.answer("late")}>too late</a> or <a href={paths.answer("wrong-network")}>on the wrong network</a>.
      </p>
    </Disclosure>
  );
}

function OrderSupport() {
  const { order } = useOrderView();
  const { supportEmail } = useSiteTerms();
  if (supportEmail === null) return null;
  const number = toOrderNumber(order.quote_id);
  return (
    <Disclosure summary="Get help with this swap">
      <p>
        <a href={paths.contact({ swap: number })}>Send us a message</a> about this swap.{" "}
        <ContactSupport subject={`Swap ${number}`}> and include its number, {number}.</ContactSupport>
      </p>
    </Disclosure>
  );
}

function CancelSwap() {
  const { order, here } = useOrderView();
  const isSending = useIsSending();
  return (
    <Disclosure summary="Cancel this swap">
      <Form method="post" action={here}>
        <input type="hidden" name="order" value={order.id} />
        <Stack gap={3} align="start">
          <p>
            Only cancel if you haven't sent anything yet. This releases the locked price. If you cancel often, or more
            than five minutes after locking it, you'll have to wait before you can lock another one.
          </p>
          <Button kind="danger" name="intent" value="cancel" pending={isSending({ intent: "cancel" }) && "Cancelling…"}>
            I haven't sent anything: cancel
          </Button>
        </Stack>
      </Form>
    </Disclosure>
  );
}
