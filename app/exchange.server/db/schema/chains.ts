import { sql } from "drizzle-orm";
import { bigint, bigserial, boolean, index, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import type { ScanCursor } from "../../chains/gateway";
import { asset, baseUnits, time } from "../columns";

/** One row per chain: the scanner's position and the last known state of our wallet. */
export const chainStates = pgTable("chain_states", {
  asset: asset().primaryKey(),
  cursor: jsonb().$type<ScanCursor>(),
  height: bigint({ mode: "number" }),
  /** Whether the last scan reached the head of a node or wallet that is itself in sync. */
  synced: boolean().notNull().default(false),
  /** The highest block that can no longer be removed by a reorg; null while it is not known. */
  finalizedHeight: bigint({ mode: "number" }),
  /** All blocks up to this time have been read. A deadline is applied only once this is later. */
  scannedThrough: time(),
  /** What our wallet can send, in base units. */
  spendable: baseUnits(),
  /** The largest single payment that our wallet can make, in base units. */
  maxPayment: baseUnits(),
  /** What one payment costs now, with a margin, in base units; null before the wallet is first checked. */
  paymentCost: baseUnits(),
  chainId: text(),
  /** Why payments cannot be made, as a sentence for the operator; null when they can. */
  paymentBlockReason: text(),
  /** The signer's nonce before the first payment from this database, or the one an operator accepted. */
  baselineNonce: integer(),
  /** When the chain was last scanned successfully. */
  checkedAt: time(),
  /** When `spendable` and `paymentBlockReason` were last read. */
  walletCheckedAt: time(),
  /** Message of the last failed scan; null after a successful one. */
  lastError: text(),
  /** When a scan last failed. */
  failedAt: time(),
});

/** Block ranges that an operator asked to read again. The scan job works through them, oldest first. */
export const rescans = pgTable(
  "rescans",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    asset: asset().notNull(),
    fromBlock: bigint({ mode: "number" }).notNull(),
    /** The last block of the range. */
    toBlock: bigint({ mode: "number" }).notNull(),
    /** The first block that has not been read again yet. */
    nextBlock: bigint({ mode: "number" }).notNull(),
    requestedAt: time().notNull(),
    finishedAt: time(),
  },
  (t) => [index("rescans_open").on(t.asset, t.id).where(sql`finished_at is null`)],
);
