import { and, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from "drizzle-orm/pg-core";
import type { PreparedPayment } from "../../chains/gateway";
import { asset, baseUnits, time } from "../columns";
import { deposits } from "./deposits";
import { orders } from "./orders";

/** A payment or a consolidation is signed: its bytes are stored, and the chain may accept them at any time. */
const signedStatuses = ["prepared", "sent"] as const;
/** A payment is open: it is owed, and neither confirmed nor failed. */
export const openPaymentStatuses = ["planned", ...signedStatuses] as const;

/** An outgoing payment, committed before it is sent. At most one payout per order. */
export const payments = pgTable(
  "payments",
  {
    id: text().primaryKey(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    purpose: text({ enum: ["payout", "refund"] }).notNull(),
    asset: asset().notNull(),
    /** The amount plus, for a refund, its cost: what is taken from the order's ledger accounts. */
    grossAmount: baseUnits().notNull(),
    /** What the customer receives. */
    amount: baseUnits().notNull(),
    address: text().notNull(),
    /** planned → prepared (signed bytes stored) → sent → confirmed. `failed` only when certain. */
    status: text({ enum: ["planned", "prepared", "sent", "confirmed", "failed"] }).notNull(),
    signer: text(),
    nonce: integer(),
    hash: text(),
    /** Complete: only these bytes are ever sent. MobileCoin: without `raw` once it is settled. */
    prepared: jsonb().$type<PreparedPayment>(),
    /** Earlier versions with the same nonce, before fee bumps. Any of them may still be included. */
    superseded: jsonb().$type<PreparedPayment[]>().notNull().default([]),
    confirmations: integer().notNull().default(0),
    requiredConfirmations: integer().notNull(),
    /** How often preparing it was tried. */
    attempts: integer().notNull().default(0),
    /** How often preparing it failed for no known external reason. After enough failures it is parked. */
    failures: integer().notNull().default(0),
    lastError: text(),
    /** How often the network refused this payment and its predecessors. */
    refusals: integer().notNull().default(0),
    /** Parked since: it no longer delays other payments, and nothing new is signed for it. */
    parkedAt: time(),
    /** If it is parked because of an unknown payment, the hash of that payment. */
    mayDuplicate: text("doubted_by"),
    /** Ethereum: a transaction without effect that uses up the nonce of a parked payment. */
    cancellation: jsonb().$type<PreparedPayment>(),
    /** When a node accepted the cancellation. */
    cancellationSentAt: time(),
    /** Since when a confirmed payment has been missing from the chain. */
    missingSince: time(),
    /** When a confirmed payment was last looked up on the chain, if there are too many to look up all at once. */
    followedAt: time(),
    /** When it was deep enough in the chain that it is no longer followed. */
    settledAt: time(),
    /** What this time means depends on the payment: see db/not-before.ts. */
    notBefore: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
    sentAt: time(),
    confirmedAt: time(),
  },
  (t) => [
    uniqueIndex("payments_one_payout").on(t.orderId).where(sql`purpose = 'payout' and status <> 'failed'`),
    uniqueIndex("payments_nonce").on(t.signer, t.nonce).where(sql`nonce is not null`),
    index("payments_of_order").on(t.orderId),
    // For searches by the beginning of a hash.
    index("payments_by_hash").on(t.hash.op("text_pattern_ops")),
    index("payments_by_change").on(sql`(prepared->>'changeHash')`),
    index("payments_open").on(t.asset, t.createdAt).where(sql`status in ('planned', 'prepared', 'sent')`),
    index("payments_confirmed").on(t.asset, t.confirmedAt),
    index("payments_missing").on(t.asset).where(sql`missing_since is not null`),
    index("payments_unsettled").on(t.asset, t.followedAt).where(sql`status = 'confirmed' and settled_at is null`),
    check("payments_positive", sql`${t.amount} > 0`),
  ],
);
export type PaymentRow = typeof payments.$inferSelect;

/** SQL condition: a payment is signed. */
export const isSignedPayment = inArray(payments.status, signedStatuses);
/** SQL condition: a payment is open. */
export const isOpenPayment = inArray(payments.status, openPaymentStatuses);
/** SQL condition: a payment was made, or may still be made. */
export const hasNotFailed = ne(payments.status, "failed");

/** SQL condition: a payment still has the status, the address and the bytes that it had when it was read (T59). */
export function isUnchanged(payment: PaymentRow) {
  return and(
    eq(payments.id, payment.id),
    eq(payments.status, payment.status),
    eq(payments.address, payment.address),
    payment.hash === null ? isNull(payments.hash) : eq(payments.hash, payment.hash),
  );
}

/** How much of each deposit a refund returns: all of it, or the surplus. One refund may return many deposits. */
export const refundedDeposits = pgTable(
  "refunded_deposits",
  {
    paymentId: text()
      .notNull()
      .references(() => payments.id),
    depositId: text()
      .notNull()
      .references(() => deposits.id),
    /** The part of the payment's `grossAmount`. */
    amount: baseUnits().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.paymentId, t.depositId] }),
    index("refunded_deposits_of_deposit").on(t.depositId),
    check("refunded_deposits_positive", sql`${t.amount} > 0`),
  ],
);

/**
 * Payments to our own main address that merge many small MobileCoin outputs into one, because a
 * transaction has at most 16 inputs. Stored before they are sent, like every other payment.
 */
export const consolidations = pgTable(
  "consolidations",
  {
    id: text().primaryKey(),
    asset: asset().notNull(),
    /** prepared → sent → confirmed, or failed if certain. */
    status: text({ enum: ["prepared", "sent", "confirmed", "failed"] }).notNull(),
    /** The amount that returns to us. */
    amount: baseUnits().notNull(),
    networkFee: baseUnits().notNull(),
    hash: text().notNull(),
    /** Without `raw` once it is confirmed. */
    prepared: jsonb().$type<PreparedPayment>().notNull(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("consolidations_one_open").on(t.asset).where(sql`status in ('prepared', 'sent')`),
    uniqueIndex("consolidations_hash").on(t.asset, t.hash),
  ],
);

/** SQL condition: a consolidation is open. It is signed from the start. */
export const isOpenConsolidation = inArray(consolidations.status, signedStatuses);
