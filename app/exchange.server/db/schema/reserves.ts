import { bigint, pgTable } from "drizzle-orm/pg-core";
import { asset, baseUnits, time } from "../columns";

/** The last comparison of the books with the chain, one row per asset. Amounts in base units. */
export const reserveChecks = pgTable("reserve_checks", {
  asset: asset().primaryKey(),
  /** Both sides were compared as they were after this block. */
  height: bigint({ mode: "number" }).notNull(),
  /** What we must hold according to the books. */
  owed: baseUnits().notNull(),
  /** Deposits that were seen but are not credited yet. We may hold them as well. */
  uncredited: baseUnits().notNull(),
  inWallet: baseUnits().notNull(),
  /** Deposits at funding addresses that were not collected yet. */
  uncollected: baseUnits().notNull(),
  /** When a check first found that we hold less than is owed; null if nothing is missing. */
  shortSince: time(),
  /** When a check first found more missing than our open payments can have taken; null if they may have taken it. */
  unexplainedSince: time(),
  /** When a check first found more than can be explained; null if there is no surplus. */
  surplusSince: time(),
  checkedAt: time().notNull(),
});
