import { index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { time } from "../columns";
import { accounts } from "./accounts";

/** Identity verification applications. An account's newest one counts. `id` is our reference at the provider. */
export const kycApplications = pgTable(
  "kyc_applications",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    status: text({ enum: ["pending", "approved", "rejected", "action_required"] }).notNull(),
    reasons: jsonb().$type<string[]>().notNull(),
    /** The complete application, encrypted (AES-256-GCM) under a key derived for this purpose. */
    details: text().notNull(),
    provider: text().notNull(),
    createdAt: time().notNull(),
    /** When the provider accepted it; null while it still has to be submitted. */
    submittedAt: time(),
    /** When the provider made the decision in `status`. Only a later decision replaces it. */
    decidedAt: time(),
    /** When the provider first approved it. From then on the law requires us to keep it, even if the approval ends. */
    approvedAt: time(),
    /** When to query the provider for its decision; null: only when a webhook says that it has changed. */
    nextCheckAt: time(),
    /** When it was stored, or the provider last responded about it. */
    updatedAt: time().notNull(),
  },
  (t) => [
    index("kyc_applications_of_account").on(t.accountId, t.createdAt),
    index("kyc_applications_open").on(t.status, t.createdAt),
    index("kyc_applications_due").on(t.nextCheckAt),
  ],
);

/** Ids of processed webhooks. A repeated webhook changes nothing. */
export const kycWebhookEvents = pgTable("kyc_webhook_events", {
  id: text().primaryKey(),
  receivedAt: time().notNull(),
});
