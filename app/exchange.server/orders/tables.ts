import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  serial,
  text,
  timestamp,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { assetSymbols } from "../../lib/assets";
import { decisionChoices, decisionReasons, orderStatuses } from "../../lib/order-states";
import { accounts } from "../accounts/tables";
import { baseUnits } from "../db/columns";
import { quotes } from "../quotes/tables";

const time = () => timestamp({ withTimezone: true });
const asset = () => text({ enum: assetSymbols });
const orderStatus = () => text({ enum: orderStatuses });

/** A swap order. `status` is a cache of the event log, changed by `transition` only. */
export const orders = pgTable(
  "orders",
  {
    id: text().primaryKey(),
    /** Counts orders; the child index of an Ethereum funding address. */
    number: serial().notNull().unique(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    quoteId: bigint({ mode: "number" })
      .notNull()
      .unique()
      .references(() => quotes.id),
    status: orderStatus().notNull(),
    sourceAsset: asset().notNull(),
    targetAsset: asset().notNull(),
    /** What was quoted and locked; never changed. */
    sourceAmount: baseUnits().notNull(),
    targetAmount: baseUnits().notNull(),
    feeAmount: baseUnits().notNull(),
    rate: baseUnits().notNull(),
    /** What is really filled: set when the order is taken to paying_out. */
    filledSource: baseUnits(),
    filledTarget: baseUnits(),
    filledFee: baseUnits(),
    filledRate: baseUnits(),
    deliveryAddress: text().notNull(),
    refundAddress: text().notNull(),
    fundingAddress: text().notNull(),
    expiresAt: time().notNull(),
    graceMs: integer().notNull(),
    decisionReason: text({ enum: decisionReasons }),
    decisionDeadline: time(),
    decisionChoice: text({ enum: decisionChoices }),
    decidedBy: text({ enum: ["user", "clock", "operator"] }),
    offerQuoteId: bigint({ mode: "number" }),
    holdReason: text(),
    heldFrom: orderStatus(),
    holdDeadline: time(),
    payoutNotBefore: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index("orders_of_account").on(t.accountId, t.createdAt, t.id),
    index("orders_by_status").on(t.status, t.expiresAt),
    uniqueIndex("orders_funding_address").on(t.sourceAsset, t.fundingAddress),
  ],
);

/** Append-only: every transition and every fact that led to one. */
export const orderEvents = pgTable(
  "order_events",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    kind: text().notNull(),
    fromStatus: orderStatus(),
    toStatus: orderStatus(),
    data: jsonb().notNull().default({}),
    at: time().notNull(),
  },
  (t) => [index("order_events_of_order").on(t.orderId, t.id)],
);

/** Every transfer to a funding address is its own row; seen twice, credited once. */
export const deposits = pgTable(
  "deposits",
  {
    id: text().primaryKey(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    asset: asset().notNull(),
    txHash: text().notNull(),
    logIndex: integer().notNull(),
    displayHash: text().notNull(),
    blockHash: text().notNull(),
    blockNumber: bigint({ mode: "number" }).notNull(),
    /** The chain's time of the block, or of the first poll that saw it where the chain tells none. */
    blockTime: time().notNull(),
    amount: baseUnits().notNull(),
    confirmations: integer().notNull(),
    requiredConfirmations: integer().notNull(),
    status: text({ enum: ["pending", "confirmed", "failed"] }).notNull(),
    /** Set once, with the ledger entry that credits it. */
    creditedAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("deposits_key").on(t.asset, t.txHash, t.logIndex),
    index("deposits_of_order").on(t.orderId),
    index("deposits_pending").on(t.asset).where(sql`status = 'pending'`),
    check("deposits_positive", sql`${t.amount} > 0`),
  ],
);

/** An outgoing payment: one payout an order, one refund a deposit, committed before it is sent. */
export const payments = pgTable(
  "payments",
  {
    id: text().primaryKey(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    purpose: text({ enum: ["payout", "refund"] }).notNull(),
    depositId: text().references(() => deposits.id),
    /** A refund gives back a deposit's surplus when the order is filled, or what is left of the deposit. */
    part: text({ enum: ["all", "surplus"] }).notNull(),
    asset: asset().notNull(),
    /** What it takes from what is held or set aside for the order: the amount and a refund's cost. */
    grossAmount: baseUnits().notNull(),
    /** What leaves to the customer. */
    amount: baseUnits().notNull(),
    address: text().notNull(),
    /** planned → prepared (bytes stored) → sent → confirmed; failed only when certain. */
    status: text({ enum: ["planned", "prepared", "sent", "confirmed", "failed"] }).notNull(),
    signer: text(),
    nonce: integer(),
    hash: text(),
    /** The PreparedPayment, whole; only these bytes are ever sent. */
    prepared: jsonb(),
    /** Earlier versions of the same nonce (fee bumps), any of which may be the one that lands. */
    superseded: jsonb().notNull().default([]),
    confirmations: integer().notNull().default(0),
    requiredConfirmations: integer().notNull(),
    attempts: integer().notNull().default(0),
    lastError: text(),
    notBefore: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
    sentAt: time(),
    confirmedAt: time(),
  },
  (t) => [
    uniqueIndex("payments_one_payout").on(t.orderId).where(sql`purpose = 'payout' and status <> 'failed'`),
    uniqueIndex("payments_one_refund").on(t.depositId, t.part).where(sql`purpose = 'refund' and status <> 'failed'`),
    uniqueIndex("payments_nonce").on(t.signer, t.nonce).where(sql`nonce is not null`),
    index("payments_of_order").on(t.orderId),
    index("payments_open").on(t.asset, t.createdAt).where(sql`status in ('planned', 'prepared', 'sent')`),
    check("payments_positive", sql`${t.amount} > 0`),
  ],
);

/** One row a chain: how far it was read and what was last seen of it. */
export const chainStates = pgTable("chain_states", {
  asset: asset().primaryKey(),
  cursor: jsonb(),
  height: bigint({ mode: "number" }),
  synced: integer().notNull().default(0),
  /** Every block up to this time was read. */
  scannedThrough: time(),
  spendable: baseUnits(),
  chainId: text(),
  obstacle: text(),
  /** The signer's nonce when this database first paid from it, or when an operator said to go on. */
  baselineNonce: integer(),
  checkedAt: time(),
  /** When `spendable` and `obstacle` were last looked up. */
  walletCheckedAt: time(),
  lastError: text(),
});

/** An answer kept under the caller's Idempotency-Key, in the transaction that made it. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    accountId: text().notNull(),
    key: text().notNull(),
    bodyHash: text().notNull(),
    orderId: text().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [uniqueIndex("idempotency_keys_key").on(t.accountId, t.key)],
);

/** Operator's switches; `accepting_swaps` off is the kill switch. */
export const switches = pgTable("switches", {
  name: text().primaryKey(),
  off: integer().notNull(),
  reason: text().notNull(),
  changedAt: time().notNull(),
});
