import { bigserial, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { time } from "../columns";

/**
 * What operators have changed, one row per command. Rows are never changed or deleted. They don't contain customers'
 * names or e-mail addresses, but may contain the addresses of payments.
 */
export const operatorActions = pgTable("operator_actions", {
  id: bigserial({ mode: "number" }).primaryKey(),
  at: time().notNull(),
  /** The user of the operating system who ran the command. */
  operator: text().notNull(),
  command: text().notNull(),
  /** Orders and accounts are named by their IDs. */
  arguments: jsonb().$type<string[]>().notNull(),
  /** What the command has done, one line each. */
  result: jsonb().$type<string[]>().notNull(),
});
