import { Form } from "@remix-run/react";
import type { Order } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import { formatDecimalText } from "~/lib/number-style";
import { paths } from "~/lib/paths";
import { formatMoney } from "~/lib/shown-amount";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { Button, type ButtonProps } from "~/ui/button";
import { VisuallyHidden } from "~/ui/visually-hidden";

type Props = { order: Order } & Pick<ButtonProps, "kind" | "size" | "full">;

/**
 * Requests a price for the same amount and addresses. If none is available, the swap form opens with all of them filled
 * in and says why.
 */
export function SwapAgain({ order, ...button }: Props) {
  const { numbers } = useLocale();
  const isSending = useIsSending();
  return (
    <Form method="post" action={paths.direction(order.source_asset_symbol)}>
      {/* Distinguishes this form from the forms of other swaps. */}
      <input type="hidden" name="again" value={order.id} />
      <input type="hidden" name="side" value="source" />
      <input type="hidden" name="source" value={formatDecimalText(order.source_amount, numbers)} />
      <input type="hidden" name="new_delivery" value={order.delivery_address} />
      <input type="hidden" name="new_refund" value={order.refund_address} />
      <Button
        name="intent"
        value="quote"
        pending={isSending({ intent: "quote", again: order.id }) && "Getting your price…"}
        {...button}
      >
        Swap again
        <VisuallyHidden>
          {" "}
          {formatMoney(order.source_amount, order.source_asset_symbol, numbers)} to {order.target_asset_symbol}
        </VisuallyHidden>
      </Button>
    </Form>
  );
}
