import { Form, useNavigation } from "@remix-run/react";
import type { Order } from "~/api/contract";
import { GroupedAddress } from "~/components/addresses/grouped-address";
import { Moment } from "~/components/locale/moment";
import { useLocale } from "~/components/locale/use-locale";
import { isFinal } from "~/lib/order-states";
import { showMoney } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { DataList } from "~/ui/data-list";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { QrCode } from "~/ui/qr-code";
import type { OrderData } from "./load.server";

type Props = { order: Order; data: OrderData; closed: boolean; action: string };

/** While money may still come, or is on its way. */
function isOpen({ status }: Order): boolean {
  return !isFinal(status) && status !== "expired";
}

/** What is good to have at hand and rarely needed: details, the phone, the way out. */
export function OrderExtras({ order, data, closed, action }: Props) {
  const { numbers } = useLocale();
  const navigation = useNavigation();
  return (
    <div>
      <Disclosure summary="All the details">
        <Stack gap={3}>
          <DataList
            rows={[
              {
                key: "from",
                term: "You send",
                value: showMoney(order.source_amount, order.source_asset_symbol, numbers),
              },
              {
                key: "to",
                term: "You receive",
                value: showMoney(order.target_amount, order.target_asset_symbol, numbers),
              },
              {
                key: "fee",
                term: "Fee, part of it",
                value: showMoney(order.fee_amount, order.fee_asset_symbol, numbers),
              },
              { key: "at", term: "Locked", value: <Moment at={order.created_at} /> },
              { key: "until", term: "To pay until", value: <Moment at={order.expires_at} /> },
            ]}
          />
          <p className={`${text.small} ${text.muted}`}>Paid out to {data.deliveryName}</p>
          <GroupedAddress address={order.delivery_address} />
          <p className={`${text.small} ${text.muted}`}>If anything goes wrong, back to {data.refundName}</p>
          <GroupedAddress address={order.refund_address} />
        </Stack>
      </Disclosure>
      {isOpen(order) ? (
        <Disclosure summary="Send to my phone">
          <Stack gap={3}>
            <p>Scan this with your phone and sign in there: Signal's payments live on the phone.</p>
            <QrCode drawing={data.pageCode} label="The address of this page as a code to scan." />
          </Stack>
        </Disclosure>
      ) : null}
      {order.status === "awaiting_deposit" ? (
        <Disclosure summary="What if I pay too little, too much or too late?">
          <p>
            Nothing is lost: this page will ask what you want, for three days, and then send it back to{" "}
            {data.refundName}.
          </p>
        </Disclosure>
      ) : null}
      {order.status === "awaiting_deposit" && !closed ? (
        <Disclosure summary="Cancel this swap">
          <Form method="post" action={action}>
            <input type="hidden" name="order" value={order.id} />
            <Stack gap={3} align="start">
              <p>Only if you have sent nothing yet. The price is let go; nothing else happens.</p>
              <Button
                kind="danger"
                name="intent"
                value="cancel"
                pending={navigation.formData?.get("intent") === "cancel" && "Cancelling…"}
              >
                I have sent nothing: cancel it
              </Button>
            </Stack>
          </Form>
        </Disclosure>
      ) : null}
    </div>
  );
}
