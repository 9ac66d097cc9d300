import type { AssetSymbol } from "../../lib/assets";
import type { ExchangeConfig, ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import {
  fees,
  getBalance,
  heldFor,
  house,
  InsufficientBalanceError,
  payableTo,
  post,
  reservedFor,
  type Transfer,
} from "../ledger/ledger";
import { type Price, type Pricing, priceOfSource } from "../quotes/price";
import { planPayment, planRefund } from "./plan-payments";
import type { HeldDeposit } from "./queries";
import { type OrderRow, transition } from "./transition";

/** A price at the order's own locked rate, the fee recomputed. @throws amount_too_small */
export function priceAtLockedRate(order: OrderRow, sourceAmount: bigint, pricing: Pricing): Price {
  return priceOfSource(
    sourceAmount,
    { source: order.sourceAsset, target: order.targetAsset, rate: order.rate },
    pricing,
  );
}

/** The most that an order may be filled with without asking: what was quoted and the tolerance. */
export function mostFillable(order: Pick<OrderRow, "sourceAmount">, toleranceBps: number): bigint {
  return order.sourceAmount + (order.sourceAmount * BigInt(toleranceBps)) / 10_000n;
}

/** What is set aside at lock: the payout if the customer overpays as far as is tolerated. */
export function reserveFor(order: OrderRow, config: ExchangeConfig): bigint {
  return priceAtLockedRate(order, mostFillable(order, config.overpaidToleranceBps), config).targetAmount;
}

/**
 * Takes an order to `paying_out`: the swap as two linked transfers and the fee, the payout
 * planned, and whatever came beyond the fill planned back to the refund address, latest
 * deposit first. `deposits` are what is held of each credited one.
 * @throws liquidity, with nothing written, when the payout cannot be covered (an order that
 *   still has its reserve always can)
 */
export async function fillOrder(
  tx: Database,
  x: ExchangeContext,
  order: OrderRow,
  fill: { price: Price; deposits: HeldDeposit[]; at: Date; by: Record<string, unknown> },
): Promise<OrderRow> {
  const { price, at } = fill;
  const { sourceAsset, targetAsset } = order;
  await ensureReserve(tx, order, price.targetAmount, at);
  const reserved = await getBalance(tx, targetAsset, reservedFor(order.id));
  const transfers: Transfer[] = [
    {
      asset: sourceAsset,
      from: heldFor(order.id),
      to: house,
      amount: price.sourceAmount - price.feeAmount,
      kind: "swap_in",
    },
    { asset: sourceAsset, from: heldFor(order.id), to: fees, amount: price.feeAmount, kind: "swap_fee" },
    {
      asset: targetAsset,
      from: reservedFor(order.id),
      to: payableTo(order.id),
      amount: price.targetAmount,
      kind: "swap_out",
    },
    {
      asset: targetAsset,
      from: reservedFor(order.id),
      to: house,
      amount: reserved - price.targetAmount,
      kind: "release",
    },
  ];
  await post(tx, { transfers, orderId: order.id, at });
  const filled = await transition(
    tx,
    order,
    "paying_out",
    {
      kind: "filled",
      data: { ...fill.by, source: price.sourceAmount.toString(), target: price.targetAmount.toString() },
      at,
    },
    {
      filledSource: price.sourceAmount,
      filledTarget: price.targetAmount,
      filledFee: price.feeAmount,
      filledRate: price.rate,
      decisionReason: null,
      decisionDeadline: null,
      offerQuoteId: null,
    },
  );
  await planPayment(tx, x, {
    order,
    purpose: "payout",
    part: "all",
    asset: targetAsset,
    grossAmount: price.targetAmount,
    amount: price.targetAmount,
    address: order.deliveryAddress,
    depositId: null,
    notBefore: order.payoutNotBefore,
    at,
  });
  for (const { deposit, surplus } of surplusOf(fill.deposits, price.sourceAmount)) {
    await planRefund(tx, x, order, deposit, { amount: surplus, part: "surplus" }, at);
  }
  return filled;
}

/** Which part of which deposit is beyond `wanted`, latest first. Pure. */
export function surplusOf<D extends { left: bigint; createdAt: Date }>(
  deposits: D[],
  wanted: bigint,
): { deposit: D; surplus: bigint }[] {
  let beyond = deposits.reduce((sum, d) => sum + d.left, 0n) - wanted;
  const parts: { deposit: D; surplus: bigint }[] = [];
  for (const deposit of [...deposits].sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())) {
    if (beyond <= 0n) break;
    const surplus = beyond < deposit.left ? beyond : deposit.left;
    parts.push({ deposit, surplus });
    beyond -= surplus;
  }
  return parts;
}

/**
 * Undoes a fill whose payout will certainly never leave: corrections are new transfers.
 * The caller has marked the payment failed and decides where the order goes.
 */
export async function undoFill(tx: Database, order: OrderRow, at: Date): Promise<void> {
  const { sourceAsset, targetAsset, filledSource, filledTarget, filledFee } = order;
  if (filledSource === null || filledTarget === null || filledFee === null) return;
  await post(tx, {
    transfers: [
      { asset: targetAsset, from: payableTo(order.id), to: house, amount: filledTarget, kind: "swap_undone" },
      { asset: sourceAsset, from: house, to: heldFor(order.id), amount: filledSource - filledFee, kind: "swap_undone" },
      { asset: sourceAsset, from: fees, to: heldFor(order.id), amount: filledFee, kind: "swap_undone" },
    ],
    orderId: order.id,
    at,
  });
}

async function ensureReserve(tx: Database, order: OrderRow, amount: bigint, at: Date): Promise<void> {
  const reserved = await getBalance(tx, order.targetAsset, reservedFor(order.id));
  if (reserved >= amount) return;
  const missing = amount - reserved;
  const { targetAsset: asset } = order;
  const transfers: Transfer[] = [{ asset, from: house, to: reservedFor(order.id), amount: missing, kind: "reserve" }];
  try {
    // In a savepoint, so that whoever catches the refusal goes on with a transaction that lives.
    await tx.transaction((savepoint) => post(savepoint, { transfers, orderId: order.id, at }));
  } catch (error) {
    if (error instanceof InsufficientBalanceError) throw new ExchangeError("liquidity", { retryAfterSeconds: 600 });
    throw error;
  }
}

/** Gives the reserve of an order back to the house; nothing happens when there is none. */
export async function releaseReserve(
  tx: Database,
  order: { id: string; targetAsset: AssetSymbol },
  at: Date,
): Promise<void> {
  const amount = await getBalance(tx, order.targetAsset, reservedFor(order.id));
  await post(tx, {
    transfers: [{ asset: order.targetAsset, from: reservedFor(order.id), to: house, amount, kind: "release" }],
    orderId: order.id,
    at,
  });
}
