import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { asset, baseUnits, time } from "../columns";
import { accounts } from "./accounts";

/** A quoted price. `open → locked → used`; an open or locked quote can become `expired`. */
export const quotes = pgTable(
  "quotes",
  {
    id: bigint({ mode: "number" }).primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    status: text({ enum: ["open", "locked", "used", "expired"] }).notNull(),
    sourceAsset: asset().notNull(),
    targetAsset: asset().notNull(),
    sourceAmount: baseUnits().notNull(),
    targetAmount: baseUnits().notNull(),
    feeAmount: baseUnits().notNull(),
    /** Target per 1 source, 12 decimals. */
    rate: baseUnits().notNull(),
    /** What the payout was expected to cost, in the target asset; null in rows stored before this column existed. */
    payoutCost: baseUnits(),
    /** The fee's share in basis points when the price was quoted; null in rows stored before this column existed. */
    feeBps: integer(),
    /** For an offer in a decision: the order it would fill. */
    offerForOrderId: text(),
    expiresAt: time().notNull(),
    lockedAt: time(),
    createdAt: time().notNull(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index("quotes_active").on(t.accountId, t.createdAt).where(sql`status in ('open', 'locked')`),
    index("quotes_of_account").on(t.accountId, t.createdAt, t.id),
    index("quotes_never_locked")
      .on(t.expiresAt)
      .where(sql`status = 'expired' and locked_at is null and offer_for_order_id is null`),
    index("quotes_open_expiry").on(t.expiresAt).where(sql`status = 'open'`),
    check("quotes_assets_differ", sql`${t.sourceAsset} <> ${t.targetAsset}`),
    check(
      "quotes_amounts_positive",
      sql`${t.sourceAmount} > 0 and ${t.targetAmount} > 0 and ${t.feeAmount} >= 0 and ${t.rate} > 0`,
    ),
  ],
);
export type QuoteRow = typeof quotes.$inferSelect;
