import { z } from "zod";
import { assets, type Direction } from "~/lib/assets";
import { formatAmount } from "~/lib/money";
import { type Side, toSourceLimits } from "~/lib/price";
import { type PublishedRates, toPair, toPriceTerms } from "~/lib/published-rates";
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

/** The amount in a new form: 250 USDT, or MOB worth about 100 USDT, rounded up to one significant digit. */
export function toFirstAmount(direction: Direction, rates: PublishedRates): string {
  if (direction.source === "USDT") return "250";
  const pair = toPair(direction, rates);
  if (!pair) return "500";
  const { min } = toSourceLimits(pair, toPriceTerms(rates));
  const minUsdt = Number.parseInt(rates.limits.min_usdt, 10) || 1;
  const worth = (min * 100n) / BigInt(minUsdt);
  const one = 10n ** BigInt(assets.MOB.decimals);
  const whole = worth / one;
  if (whole === 0n) return formatAmount(min, "MOB");
  const size = 10n ** BigInt(whole.toString().length - 1);
  return formatAmount((whole / size + 1n) * size * one, "MOB");
}
