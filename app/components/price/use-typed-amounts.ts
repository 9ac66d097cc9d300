import { type Dispatch, type SetStateAction, useEffect, useRef } from "react";
import { type AmountInput, readAmountInput } from "~/lib/amount-input";
import type { Direction } from "~/lib/assets";
import type { Pair } from "~/lib/money";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { findPriceProblem, type Price, type Side, type Typed, toPrice } from "~/lib/price";
import { toPriceProblemText } from "~/lib/price-problem-text";
import { type PublishedRates, toPair, toPriceTerms } from "~/lib/published-rates";
import { toRoughAmount, toRoughAmountUp } from "~/lib/shown-amount";

/** As `useState` returns it. */
export type TypedState = readonly [Typed, Dispatch<SetStateAction<Typed>>];

export type TypedAmounts = {
  side: Side;
  /** The text in each field. */
  texts: Record<Side, string>;
  input: AmountInput;
  /** Null while no rate is available. */
  pair: Pair | null;
  price: Price | null;
  /** What is wrong with the amount, for the field that it was typed in. */
  error: string | undefined;
  refs: Record<Side, React.RefObject<HTMLInputElement>>;
  type(side: Side, text: string): void;
};

/** Two amount fields: the visitor types in one, and the other is calculated at the published rate. */
export function useTypedAmounts(
  [typed, setTyped]: TypedState,
  direction: Direction,
  rates: PublishedRates,
  style: NumberStyle,
): TypedAmounts {
  const refs = { source: useRef<HTMLInputElement>(null), target: useRef<HTMLInputElement>(null) };
  const { source, target } = refs;

  // Take over what was typed before hydration.
  useEffect(() => {
    setTyped((current) => {
      const values = { source: source.current?.value ?? "", target: target.current?.value ?? "" };
      const other = current.side === "source" ? "target" : "source";
      if (values[current.side] !== current.text) return { side: current.side, text: values[current.side] };
      const isUnchanged = values[other] === (other === "source" ? source : target).current?.defaultValue;
      return isUnchanged ? current : { side: other, text: values[other] };
    });
  }, [source, target, setTyped]);

  const { side, text } = typed;
  const input = readAmountInput(text, direction[side], style);
  const pair = toPair(direction, rates);
  const terms = toPriceTerms(rates);
  const price = pair && input.kind === "amount" ? toPrice({ side, amount: input.units }, pair, terms) : null;
  const problem = pair && price && findPriceProblem(price, pair, terms);
  const other: Side = side === "source" ? "target" : "source";
  const derived = price === null ? "" : formatDecimalText(toDerivedAmount(price, other, direction), style, 2);
  return {
    side,
    texts: side === "source" ? { source: text, target: derived } : { source: derived, target: text },
    input,
    pair,
    price,
    error: input.kind === "invalid" ? input.message : problem ? toPriceProblemText(problem, style) : undefined,
    refs,
    type: (changedSide, value) => setTyped({ side: changedSide, text: value }),
  };
}

/** Amounts to receive are rounded down, amounts to send are rounded up. */
function toDerivedAmount(price: Price, side: Side, direction: Direction): string {
  if (side === "target") return toRoughAmount(price.targetAmount, direction.target);
  return toRoughAmountUp(price.sourceAmount, direction.source);
}
