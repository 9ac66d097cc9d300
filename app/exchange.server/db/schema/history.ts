import { bigint, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { asset, baseUnits, time } from "../columns";

/** How far the payments of our wallet on each chain were compared with this database. */
export const walletHistories = pgTable("wallet_histories", {
  asset: asset().primaryKey(),
  /** Payments up to this block were made before this database knew the wallet. */
  baseline: bigint({ mode: "number" }).notNull(),
  readThrough: bigint({ mode: "number" }).notNull(),
  /**
   * Identifies the PostgreSQL server, its timeline, the tables and the database: it changes when a backup is restored.
   */
  databaseId: text(),
});

/**
 * Payments of our wallet that are not in this database: someone else made them, or they were made after the backup that
 * was restored.
 */
export const unknownPayments = pgTable(
  "unknown_payments",
  {
    asset: asset().notNull(),
    hash: text().notNull(),
    address: text().notNull(),
    amount: baseUnits().notNull(),
    foundAt: time().notNull(),
    /**
     * When it was accounted for, by an operator or because it turned out to be a payment of ours. Until then, planned
     * payments that may be this one, or whose order it may have ended, are parked.
     */
    resolvedAt: time(),
  },
  (t) => [primaryKey({ columns: [t.asset, t.hash] })],
);
