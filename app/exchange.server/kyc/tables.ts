import { index, jsonb, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { accounts } from "../accounts/tables";

const time = () => timestamp({ withTimezone: true });

/** Every application ever sent; an account's newest one counts. `id` is the provider's reference. */
export const kycApplications = pgTable(
  "kyc_applications",
  {
    id: text().primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    status: text({ enum: ["pending", "approved", "rejected", "action_required"] }).notNull(),
    reasons: jsonb().$type<string[]>().notNull(),
    /** The whole application, sealed (AES-256-GCM) under a key of its own. */
    details: text().notNull(),
    provider: text().notNull(),
    createdAt: time().notNull(),
    /** When the provider took it; null while a job still has to hand it over. */
    submittedAt: time(),
    /** The provider's time of the decision in `status`; only a later one replaces it. */
    decidedAt: time(),
    updatedAt: time().notNull(),
  },
  (t) => [
    index("kyc_applications_of_account").on(t.accountId, t.createdAt),
    index("kyc_applications_open").on(t.status, t.createdAt),
  ],
);

/** Webhooks that were taken, so that a repeated one changes nothing. */
export const kycWebhookEvents = pgTable("kyc_webhook_events", {
  id: text().primaryKey(),
  receivedAt: time().notNull(),
});
