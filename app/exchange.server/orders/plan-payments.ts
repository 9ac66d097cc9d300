import { and, eq, gt, ne, sql } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { formatAmount } from "../../lib/money";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { orders } from "../db/schema/orders";
import { payments } from "../db/schema/payments";
import { newId } from "../ids";
import { fees, heldFor, payableTo, post } from "../ledger/ledger";
import { raiseAlert } from "../switches/alerts";
import { insertEvent, type OrderRow, recordEvent } from "./transition";

export type PaymentRow = typeof payments.$inferSelect;

/**
 * Records a payment that we owe; the pay job sends it. Unique indexes allow one payout per order and
 * one refund per deposit and part.
 * @returns the payment's id
 */
export async function planPayment(
  tx: Database,
  ctx: ExchangeContext,
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
    /** How often the network refused the payment that this one replaces. */
    refusals?: number;
    at: Date;
  },
): Promise<string> {
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
    requiredConfirmations: ctx.chains[plan.asset].requiredConfirmations,
    notBefore: plan.notBefore,
    refusals: plan.refusals ?? 0,
    createdAt: plan.at,
    updatedAt: plan.at,
  });
  await recordEvent(tx, plan.order.id, {
    kind: "payment_planned",
    data: { payment: id, purpose: plan.purpose, amount: plan.amount.toString() },
    at: plan.at,
  });
  return id;
}

/**
 * Plans the refund of a credited deposit, or of its surplus: `amount` less the refund cost, to the
 * order's refund address. An amount at or below the cost stays held. USDT above the cap wait for an operator.
 * @returns whether a payment was planned
 */
export async function planRefund(
  tx: Database,
  ctx: ExchangeContext,
  refund: { order: OrderRow; depositId: string; amount: bigint; part: "all" | "surplus"; at: Date },
): Promise<boolean> {
  const { order, depositId, amount, part, at } = refund;
  const asset = order.sourceAsset;
  const cost = ctx.config.refundCost[asset];
  if (amount <= cost) {
    await recordEvent(tx, order.id, {
      kind: "kept_below_cost",
      data: { deposit: depositId, amount: amount.toString() },
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
  const exceedsCap = await isAboveCap(tx, ctx, { order, amount, at });
  const paymentId = await planPayment(tx, ctx, {
    order,
    purpose: "refund",
    part,
    asset,
    grossAmount: amount,
    amount: amount - cost,
    address: order.refundAddress,
    depositId,
    notBefore: null,
    at,
  });
  if (exceedsCap) await parkRefund(tx, ctx, { order, paymentId, amount: amount - cost, at });
  return true;
}

const capWindowMs = 86_400_000;

/**
 * Whether a refund would bring the USDT refunds of an account within 24 hours above the cap. They
 * leave the hot wallet, while the deposit is still at its funding address: without a cap, large
 * surpluses would empty the hot wallet. MOB deposits arrive in the wallet that pays.
 */
async function isAboveCap(
  tx: Database,
  ctx: ExchangeContext,
  { order, amount, at }: { order: OrderRow; amount: bigint; at: Date },
): Promise<boolean> {
  if (order.sourceAsset !== "USDT") return false;
  const [row] = await tx
    .select({ refunded: sql<string>`coalesce(sum(${payments.grossAmount}), 0)::text` })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(
      and(
        eq(orders.accountId, order.accountId),
        eq(payments.purpose, "refund"),
        eq(payments.asset, "USDT"),
        ne(payments.status, "failed"),
        gt(payments.createdAt, new Date(at.getTime() - capWindowMs)),
      ),
    );
  return BigInt(row?.refunded ?? "0") + amount > ctx.config.refundMaxUsdt;
}

/** Sets a planned refund aside until an operator sends it on with `operate retry`. */
async function parkRefund(
  tx: Database,
  ctx: ExchangeContext,
  { order, paymentId, amount, at }: { order: OrderRow; paymentId: string; amount: bigint; at: Date },
): Promise<void> {
  const cap = formatAmount(ctx.config.refundMaxUsdt, "USDT");
  const reason = `The account's USDT refunds within 24 hours exceed ${cap} USDT: collect the deposit, then retry.`;
  await tx.update(payments).set({ parkedAt: at, lastError: reason, updatedAt: at }).where(eq(payments.id, paymentId));
  await insertEvent(tx, order.id, { kind: "payment_parked", data: { payment: paymentId, reason }, at });
  await raiseAlert(tx, ctx, {
    subject: `payment:${paymentId}`,
    orderId: order.id,
    reason: `The refund of ${formatAmount(amount, "USDT")} USDT waits. ${reason}`,
    at,
    retryAt: null,
  });
}
