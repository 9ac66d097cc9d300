import type { AssetSymbol } from "../../lib/assets";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { newId } from "../ids";
import { fees, heldFor, payableTo, post } from "../ledger/ledger";
import { payments } from "./tables";
import { type OrderRow, recordEvent } from "./transition";

export type PaymentRow = typeof payments.$inferSelect;

/**
 * Writes down that a payment is owed. Nothing is sent here; the pay job does, later. The
 * unique indexes stand behind it: one payout an order, one refund a deposit.
 */
export async function planPayment(
  tx: Database,
  x: ExchangeContext,
  plan: {
    order: Pick<OrderRow, "id">;
    purpose: "payout" | "refund";
    part: "all" | "surplus";
    asset: AssetSymbol;
    grossAmount: bigint;
    amount: bigint;
    address: string;
    depositId: string | null;
    notBefore: Date | null;
    at: Date;
  },
): Promise<void> {
  const id = newId();
  await tx.insert(payments).values({
    id,
    orderId: plan.order.id,
    purpose: plan.purpose,
    depositId: plan.depositId,
    part: plan.part,
    asset: plan.asset,
    grossAmount: plan.grossAmount,
    amount: plan.amount,
    address: plan.address,
    status: "planned",
    requiredConfirmations: x.chains[plan.asset].requiredConfirmations,
    notBefore: plan.notBefore,
    createdAt: plan.at,
    updatedAt: plan.at,
  });
  await recordEvent(tx, plan.order.id, {
    kind: "payment_planned",
    data: { payment: id, purpose: plan.purpose, amount: plan.amount.toString() },
    at: plan.at,
  });
}

/**
 * Plans a credited deposit (or the surplus of one) back to the refund address: what came
 * less the refund's cost. What is not worth that cost stays held, and the page says so.
 * @returns whether a payment was planned
 */
export async function planRefund(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  deposit: { id: string },
  { amount, part }: { amount: bigint; part: "all" | "surplus" },
  at: Date,
): Promise<boolean> {
  const asset = order.sourceAsset;
  const cost = x.config.refundCost[asset];
  if (amount <= cost) {
    await recordEvent(tx, order.id, {
      kind: "kept_below_cost",
      data: { deposit: deposit.id, amount: amount.toString() },
      at,
    });
    return false;
  }
  await post(tx, {
    transfers: [
      { asset, from: heldFor(order.id), to: payableTo(order.id), amount: amount - cost, kind: "refund" },
      { asset, from: heldFor(order.id), to: fees, amount: cost, kind: "refund_cost" },
    ],
    orderId: order.id,
    at,
  });
  await planPayment(tx, x, {
    order,
    purpose: "refund",
    part,
    asset,
    grossAmount: amount,
    amount: amount - cost,
    address: order.refundAddress,
    depositId: deposit.id,
    notBefore: null,
    at,
  });
  return true;
}
