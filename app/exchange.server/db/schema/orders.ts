import { sql } from "drizzle-orm";
import { bigint, bigserial, index, integer, jsonb, pgTable, serial, text, uniqueIndex } from "drizzle-orm/pg-core";
import { decisionChoices, decisionReasons, orderStatuses } from "../../../lib/order-states";
import { asset, baseUnits, time } from "../columns";
import { accounts } from "./accounts";
import { quotes } from "./quotes";

const orderStatus = () => text({ enum: orderStatuses });

/** A swap order. `status` caches the last event's status; only `transition` changes it. */
export const orders = pgTable(
  "orders",
  {
    id: text().primaryKey(),
    /** From a sequence: the xpub's child index of an Ethereum funding address. Not the number that customers see. */
    fundingIndex: serial("number").notNull().unique(),
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
    /** The locked quote. Never changes. */
    sourceAmount: baseUnits().notNull(),
    targetAmount: baseUnits().notNull(),
    feeAmount: baseUnits().notNull(),
    rate: baseUnits().notNull(),
    payoutCost: baseUnits(),
    feeBps: integer(),
    /** The amounts actually swapped, set with the transition to `paying_out`. */
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
    /** As shown to the owner. */
    holdReason: text(),
    /** Why the owner may not swap, if the order is on hold because of that. */
    holdProblem: text({ enum: ["unverified", "blocked"] }),
    /** The status before the hold. */
    heldFrom: orderStatus(),
    holdDeadline: time(),
    payoutNotBefore: time(),
    /** Hash of the token in the order's tracking link, and when the link was made. */
    trackingHash: text(),
    trackedSince: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index("orders_of_account").on(t.accountId, t.createdAt, t.id),
    index("orders_by_status").on(t.status, t.expiresAt),
    index("orders_unpaid")
      .on(t.accountId)
      .where(
        sql`status in ('awaiting_deposit', 'confirming', 'expired', 'needs_decision', 'cancelled', 'refunding', 'refunded')`,
      ),
    index("orders_mostly_unpaid").on(t.accountId).where(sql`filled_source * 2 < source_amount`),
    uniqueIndex("orders_tracking_hash").on(t.trackingHash),
    uniqueIndex("orders_funding_address").on(t.sourceAsset, t.fundingAddress),
  ],
);
export type OrderRow = typeof orders.$inferSelect;

/** Append-only log of the orders' transitions and of the events that led to them. */
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

/** Orders by the Idempotency-Key of the request that created them, stored in the same transaction. */
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
