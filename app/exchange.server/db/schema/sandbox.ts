import { bigserial, index, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { time } from "../columns";

/** The sandbox's inbox, with e-mails that were not really sent. Empty in live mode. */
export const sandboxMails = pgTable(
  "sandbox_mails",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    to: text().notNull(),
    subject: text().notNull(),
    text: text().notNull(),
    code: text(),
    at: time().notNull(),
  },
  (t) => [index("sandbox_mails_to").on(t.to, t.id)],
);

/** Applications at the sandbox's identity provider. The decision is made on submission and visible from `decideAt`. */
export const sandboxReviews = pgTable("sandbox_reviews", {
  reference: text().primaryKey(),
  status: text({ enum: ["pending", "approved", "rejected", "action_required"] }).notNull(),
  reasons: jsonb().$type<string[]>().notNull(),
  decideAt: time().notNull(),
});
