import { pgTable, text } from "drizzle-orm/pg-core";

/** The limits and costs of the process that runs the jobs, by the name of their variable. No secrets. */
export const siteSettings = pgTable("site_settings", {
  name: text().primaryKey(),
  value: text().notNull(),
});
