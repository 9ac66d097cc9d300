import { bigint, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { assetSymbols } from "../../../lib/assets";
import { baseUnits } from "../columns";

const time = () => timestamp({ withTimezone: true });
const asset = () => text({ enum: assetSymbols });

/** The last comparison of the books with the chain, one row per asset. Amounts in base units. */
export const reserveChecks = pgTable("reserve_checks", {
  asset: asset().primaryKey(),
  /** Both sides were compared as they were after this block. */
  height: bigint({ mode: "number" }).notNull(),
  /** What has to be there by the books. */
  owed: baseUnits().notNull(),
  /** Deposits that are seen and not credited yet: they may be there as well. */
  uncredited: baseUnits().notNull(),
  inWallet: baseUnits().notNull(),
  /** Deposits at funding addresses that were not collected yet. */
  uncollected: baseUnits().notNull(),
  /** Since when less is there than owed; null if it is not. */
  shortSince: time(),
  /** Since when so much less is there that open payments of ours cannot have taken it; null if it is not. */
  unexplainedSince: time(),
  /** Since when more is there than anything explains; null if it is not. */
  surplusSince: time(),
  checkedAt: time().notNull(),
});
