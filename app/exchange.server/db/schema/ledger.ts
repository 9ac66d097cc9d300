import { sql } from "drizzle-orm";
import { bigserial, check, index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { asset, baseUnits, time } from "../columns";

/**
 * Ledger accounts, one set per asset: `external` (everyone outside the exchange; the only
 * account that may be negative), `treasury`, `fees`, and for each order `held:ID`,
 * `reserved:ID` and `payable:ID`.
 */
export const ledgerAccounts = pgTable(
  "ledger_accounts",
  {
    asset: asset().notNull(),
    code: text().notNull(),
    balance: baseUnits().notNull(),
    /** In the row of `treasury`: the total of the asset's `reserved:` accounts. 0 in the others. */
    reserved: baseUnits().notNull().default(sql`0`),
  },
  (t) => [
    primaryKey({ columns: [t.asset, t.code] }),
    check("ledger_accounts_not_negative", sql`${t.code} = 'external' or ${t.balance} >= 0`),
  ],
);

/** Append-only: a trigger rejects UPDATE, DELETE and TRUNCATE. Corrections are new transfers. */
export const ledgerTransfers = pgTable(
  "ledger_transfers",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    asset: asset().notNull(),
    fromCode: text().notNull(),
    toCode: text().notNull(),
    amount: baseUnits().notNull(),
    kind: text().notNull(),
    orderId: text(),
    /** Shared by transfers posted together, such as the two legs of a swap and its fee. */
    linkId: text().notNull(),
    at: time().notNull(),
  },
  (t) => [
    index("ledger_transfers_of_order").on(t.orderId),
    check("ledger_transfers_positive", sql`${t.amount} > 0`),
    check("ledger_transfers_differ", sql`${t.fromCode} <> ${t.toCode}`),
  ],
);
