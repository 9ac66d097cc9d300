import { pgTable, text } from "drizzle-orm/pg-core";

/** Which SESSION_SECRET this database is used with: at most one row, whose value does not reveal the secret. */
export const secretFingerprints = pgTable("secret_fingerprints", {
  name: text().primaryKey(),
  fingerprint: text().notNull(),
});
