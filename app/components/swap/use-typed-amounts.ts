import { useEffect, useRef, useState } from "react";
import { type AmountInput, readAmountInput } from "~/lib/amount-input";
import { type AssetSymbol, assets } from "~/lib/assets";
import {
  type Direction,
  findPriceTrouble,
  type IndicativePrice,
  type PriceTrouble,
  type PublishedRates,
  priceAt,
  type Side,
} from "~/lib/indicative-price";
import { formatAmount } from "~/lib/money";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { toRoughAmount } from "~/lib/shown-amount";

export type Typed = { side: Side; text: string };

export type TypedAmounts = {
  side: Side;
  /** What stands in each field. */
  texts: Record<Side, string>;
  input: AmountInput;
  price: IndicativePrice | null;
  trouble: PriceTrouble | null;
  refs: Record<Side, React.RefObject<HTMLInputElement>>;
  type(side: Side, text: string): void;
};

/** Two fields of which one was typed and the other follows, at the published rate. */
export function useTypedAmounts(
  initial: Typed,
  direction: Direction,
  rates: PublishedRates,
  style: NumberStyle,
): TypedAmounts {
  const [typed, setTyped] = useState(initial);
  const refs = { source: useRef<HTMLInputElement>(null), target: useRef<HTMLInputElement>(null) };
  const { source, target } = refs;

  // What was typed before the scripts came counts.
  useEffect(() => {
    setTyped((known) => {
      const own = { source: source.current?.value ?? "", target: target.current?.value ?? "" };
      const other = known.side === "source" ? "target" : "source";
      if (own[known.side] !== known.text) return { side: known.side, text: own[known.side] };
      const untouched = own[other] === (other === "source" ? source : target).current?.defaultValue;
      return untouched ? known : { side: other, text: own[other] };
    });
  }, [source, target]);

  const { side, text } = typed;
  const input = readAmountInput(text, direction[side], style);
  const price = input.kind === "amount" ? priceAt({ side, units: input.units }, direction, rates) : null;
  const other: Side = side === "source" ? "target" : "source";
  const derived = price === null ? "" : formatDecimalText(toDerivedAmount(price, other, direction), style, 2);
  return {
    side,
    texts: side === "source" ? { source: text, target: derived } : { source: derived, target: text },
    input,
    price,
    trouble: price && findPriceTrouble(price, direction, rates),
    refs,
    type: (on, value) => setTyped({ side: on, text: value }),
  };
}

/** What comes is rounded down, what must be sent is rounded up. */
function toDerivedAmount(price: IndicativePrice, side: Side, direction: Direction): string {
  if (side === "target") return toRoughAmount(price.targetUnits, direction.target);
  return toRoughAmountUp(price.sourceUnits, direction.source);
}

function toRoughAmountUp(units: bigint, asset: AssetSymbol): string {
  const step = 10n ** BigInt(assets[asset].decimals - (asset === "USDT" ? 2 : 4));
  return formatAmount(((units + step - 1n) / step) * step, asset);
}
