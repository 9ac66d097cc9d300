import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { AssetSymbol } from "../../lib/assets";
import { formatAmount } from "../../lib/money";
import { toOrderNumber } from "../../lib/order-number";
import type { Database } from "../db/database";
import { accounts } from "../db/schema/accounts";
import { deposits } from "../db/schema/deposits";
import { orderEvents, orders } from "../db/schema/orders";
import { payments } from "../db/schema/payments";
import { toFundingPath } from "../orders/funding-path";

/** An order as `operate order` shows it. Amounts are decimal strings, times ISO 8601. */
export type OrderReport = {
  order: string;
  /** The number that its owner sees. */
  number: string;
  account: string;
  /** Where its owner gets e-mails; null if the address is not verified, or the account deleted. */
  email: string | null;
  status: string;
  source: { asset: AssetSymbol; amount: string };
  target: { asset: AssetSymbol; amount: string };
  fundingAddress: string;
  /** The BIP-32 path of the funding address's key below the seed of ETH_XPUB; null on MobileCoin. */
  path: string | null;
  deliveryAddress: string;
  refundAddress: string;
  createdAt: string;
  expiresAt: string;
  hold: { reason: string; deadline: string | null } | null;
  decision: { reason: string; deadline: string | null } | null;
  deposits: { id: string; amount: string; status: string; hash: string; block: number; seenAt: string }[];
  payments: {
    id: string;
    purpose: "payout" | "refund";
    asset: AssetSymbol;
    amount: string;
    address: string;
    status: string;
    isParked: boolean;
    hash: string | null;
    nonce: number | null;
    lastError: string | null;
  }[];
  events: { at: string; kind: string; status: string | null; data: unknown }[];
};

/** What a payment pays, to whom, and its status. */
export function toPaymentLine(
  payment: Pick<OrderReport["payments"][number], "id" | "purpose" | "asset" | "amount" | "address" | "status">,
): string {
  const { id, purpose, asset, amount, address, status } = payment;
  return `${purpose} ${id}: ${amount} ${asset} to ${address}, ${status}`;
}

/** Reads an order with its deposits, payments and events, oldest first. Null if there is none. */
export async function readOrder(db: Database, orderId: string): Promise<OrderReport | null> {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  if (!order) return null;
  const [owner] = await db
    .select({ email: accounts.email })
    .from(accounts)
    .where(and(eq(accounts.id, order.accountId), isNotNull(accounts.emailVerifiedAt)));
  const received = await db
    .select()
    .from(deposits)
    .where(eq(deposits.orderId, orderId))
    .orderBy(asc(deposits.createdAt));
  const paid = await db.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(asc(payments.createdAt));
  const events = await db
    .select()
    .from(orderEvents)
    .where(eq(orderEvents.orderId, orderId))
    .orderBy(asc(orderEvents.id));
  const { sourceAsset, targetAsset, status, holdReason, decisionReason } = order;
  return {
    order: orderId,
    number: toOrderNumber(order.quoteId),
    account: order.accountId,
    email: owner?.email ?? null,
    status,
    source: { asset: sourceAsset, amount: formatAmount(order.sourceAmount, sourceAsset) },
    target: { asset: targetAsset, amount: formatAmount(order.targetAmount, targetAsset) },
    fundingAddress: order.fundingAddress,
    path: sourceAsset === "USDT" ? toFundingPath(order.fundingIndex) : null,
    deliveryAddress: order.deliveryAddress,
    refundAddress: order.refundAddress,
    createdAt: order.createdAt.toISOString(),
    expiresAt: order.expiresAt.toISOString(),
    hold:
      status === "on_hold" && holdReason !== null ? { reason: holdReason, deadline: toIso(order.holdDeadline) } : null,
    decision:
      status === "needs_decision" && decisionReason !== null
        ? { reason: decisionReason, deadline: toIso(order.decisionDeadline) }
        : null,
    deposits: received.map(({ id, asset, amount, status: state, displayHash, blockNumber, createdAt }) => ({
      id,
      amount: formatAmount(amount, asset),
      status: state,
      hash: displayHash,
      block: blockNumber,
      seenAt: createdAt.toISOString(),
    })),
    payments: paid.map(({ id, purpose, asset, amount, address, status: state, parkedAt, hash, nonce, lastError }) => ({
      id,
      purpose,
      asset,
      amount: formatAmount(amount, asset),
      address,
      status: state,
      isParked: parkedAt !== null,
      hash,
      nonce,
      lastError,
    })),
    events: events.map(({ at, kind, toStatus, data }) => ({ at: at.toISOString(), kind, status: toStatus, data })),
  };
}

const toIso = (time: Date | null) => time?.toISOString() ?? null;
