import { isFilled, type OrderStatus } from "../lib/order-states";

type Order = {
  status: OrderStatus;
  heldFrom: OrderStatus | null;
  sourceAmount: bigint;
  targetAmount: bigint;
  feeAmount: bigint;
  rate: bigint;
  filledSource: bigint | null;
  filledTarget: bigint | null;
  filledFee: bigint | null;
  filledRate: bigint | null;
};

/**
 * The amounts of an order in base units, and its rate with 12 decimals: as filled, unless the fill was undone, or else
 * as quoted. The fee is in the source asset.
 */
export function toSwapTerms(order: Order): { source: bigint; target: bigint; fee: bigint; rate: bigint } {
  const pick = (ofFill: bigint | null, quoted: bigint) => (isFilled(order) && ofFill !== null ? ofFill : quoted);
  return {
    source: pick(order.filledSource, order.sourceAmount),
    target: pick(order.filledTarget, order.targetAmount),
    fee: pick(order.filledFee, order.feeAmount),
    rate: pick(order.filledRate, order.rate),
  };
}
