import { sql } from "drizzle-orm";
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { asset, baseUnits, time } from "../columns";
import { orders } from "./orders";

/**
 * Transfers to funding addresses, one row each. The unique keys make sure that each is credited once.
 * deposits/deposit-state.ts says what `status` and the times below mean together.
 */
export const deposits = pgTable(
  "deposits",
  {
    id: text().primaryKey(),
    orderId: text()
      .notNull()
      .references(() => orders.id),
    asset: asset().notNull(),
    txHash: text().notNull(),
    /** See `TransferKey`. */
    ordinal: integer("log_index").notNull(),
    displayHash: text().notNull(),
    blockHash: text().notNull(),
    blockNumber: bigint({ mode: "number" }).notNull(),
    /** The chain's log index within the block; null in rows stored before this column existed. */
    blockLogIndex: integer(),
    /** The block's time; on a chain without block times, when the transfer was first seen. */
    blockTime: time().notNull(),
    amount: baseUnits().notNull(),
    confirmations: integer().notNull(),
    requiredConfirmations: integer().notNull(),
    /** Its confirmations are not enough: its block has to be finalized (see value-at-risk.ts). */
    awaitsFinality: boolean().notNull().default(false),
    status: text({ enum: ["pending", "confirmed", "failed"] }).notNull(),
    /** When it was credited in the ledger. */
    creditedAt: time(),
    /** Since when a deposit that was already paid out has been missing from the chain; null while it is there. */
    missingSince: time(),
    /** How much of a missing deposit was paid out: only this part is still credited. Null if the whole amount is. */
    lostAmount: baseUnits(),
    /** When the loss of a missing deposit (what had been paid out of it) was booked. Null if it was not. */
    writtenOffAt: time(),
    /**
     * When it first had to be looked up again, because the lookup in its final block failed, its swap could not be
     * undone, it waits for its confirmations in another block after it was paid out, or it was dropped
     * (dropped-deposits.ts). Null otherwise.
     */
    recheckSince: time(),
    /** The last final block after which its funding address was seen empty; null before the first time. */
    emptyAtHeight: bigint({ mode: "number" }),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("deposits_key").on(t.asset, t.txHash, t.ordinal),
    // One log of the chain is one deposit, however a node numbers the transfers of its transaction.
    uniqueIndex("deposits_log").on(t.asset, t.blockHash, t.txHash, t.blockLogIndex).where(sql`status <> 'failed'`),
    index("deposits_of_order").on(t.orderId),
    // For searches by the beginning of a hash.
    index("deposits_by_hash").on(t.displayHash.op("text_pattern_ops")),
    index("deposits_pending").on(t.asset).where(sql`status = 'pending'`),
    index("deposits_confirmed").on(t.asset, t.blockNumber).where(sql`status = 'confirmed'`),
    index("deposits_uncollected")
      .on(t.asset)
      .where(sql`status <> 'failed' and (empty_at_height is null or empty_at_height < block_number)`),
    index("deposits_missing").on(t.asset).where(sql`missing_since is not null`),
    index("deposits_to_recheck").on(t.asset).where(sql`recheck_since is not null`),
    check("deposits_positive", sql`${t.amount} > 0`),
  ],
);
export type DepositRow = typeof deposits.$inferSelect;
