import { sql } from "drizzle-orm";
import { boolean, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { addressType, time } from "../columns";
import { accounts } from "./accounts";

/**
 * An account's delivery and refund addresses. Removed ones that an order has used are kept, with `removedAt`, unless they
 * were saved before the e-mail address was verified: then someone else may have saved them.
 */
export const deliveryAddresses = pgTable(
  "delivery_addresses",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    type: addressType().notNull(),
    address: text().notNull(),
    /** Equal for different spellings of the same address: decoded keys (MOB), lower case (ETH). */
    canonical: text().notNull(),
    label: text().notNull(),
    /** A funding address of ours. It cannot be paid to, but only approved customers are told so when they save it. */
    isOurs: boolean().notNull().default(false),
    createdAt: time().notNull(),
    removedAt: time(),
  },
  (t) => [
    uniqueIndex("delivery_addresses_once").on(t.accountId, t.type, t.canonical).where(sql`removed_at is null`),
    index("delivery_addresses_of_account").on(t.accountId, t.createdAt, t.id),
  ],
);
