import type { CurrentRates } from "~/api/contract";
import { useLocale } from "~/components/locale/use-locale";
import type { Direction } from "~/lib/assets";
import type { Typed } from "~/lib/price";
import { useAnnouncement } from "./use-announcement";
import { type TypedState, useTypedAmounts } from "./use-typed-amounts";

export type SwapAmounts = ReturnType<typeof useSwapAmounts>;

/**
 * The two amount fields of a swap: their texts, what is wrong with the typed one, and what to announce.
 * @param refused what the server refused. Its error applies until the visitor types something else.
 */
export function useSwapAmounts(
  typed: TypedState,
  direction: Direction,
  rates: CurrentRates,
  refused?: { typed: Typed; fieldError?: string },
) {
  const { numbers } = useLocale();
  const amounts = useTypedAmounts(typed, direction, rates, numbers);
  const { side, texts, price } = amounts;
  const isRefused = refused?.typed.side === side && refused.typed.text === texts[side];
  const error = amounts.error || (isRefused ? refused.fieldError : undefined);
  // Empty if there is no price, or the exchange would refuse the amount.
  const receive = price && !error ? texts.target : "";
  return { ...amounts, error, receive, announcement: useAnnouncement(amounts, direction, receive) };
}
