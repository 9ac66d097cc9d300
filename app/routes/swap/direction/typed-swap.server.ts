import { z } from "zod";
import type { Side } from "~/lib/price";
import { toPastedAddress } from "../address-entry/typed-address.server";
import { addressId, type TypedSwap } from "../address-entry/typed-search.server";

const amountText = z
  .string()
  .transform((text) => text.slice(0, 64))
  .default("");

const newAddress = z.string().transform(toPastedAddress).optional();

/** The fields of the swap form, which every intent of the page posts. */
export const swapFields = z.object({
  side: z.enum(["source", "target"]).catch("source"),
  source: amountText,
  target: amountText,
  /** Posted only without JavaScript: what the fields held when the page was rendered. */
  was_source: amountText.optional(),
  was_target: amountText.optional(),
  delivery: addressId,
  refund: addressId,
  /** Addresses typed by visitors who have saved none. Without these fields, they are chosen on the quote page. */
  new_delivery: newAddress,
  new_refund: newAddress,
});

/**
 * The amount that the visitor typed, and the addresses. With JavaScript, `side` names the field that was typed in.
 * Without JavaScript, it is the field whose value has changed since the page was rendered.
 */
export function toTypedSwap(form: z.output<typeof swapFields>): TypedSwap {
  const isChanged = (side: Side) => form[side] !== (form[`was_${side}`] ?? form[side]);
  const side = isChanged("source") ? "source" : isChanged("target") ? "target" : form.side;
  return { side, text: form[side], delivery: form.delivery, refund: form.refund };
}
