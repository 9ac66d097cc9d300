import { bigint, bigserial, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { time } from "../columns";
import { accounts, sessions } from "./accounts";

/** Browsers with notifications turned on. A row is deleted with its session's row, which outlasts an idle session. */
export const pushSubscriptions = pgTable(
  "push_subscriptions",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    accountId: text()
      .notNull()
      .references(() => accounts.id),
    sessionId: text()
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** The URL at which the browser's push service accepts messages. */
    endpoint: text().notNull(),
    /** The browser's public key and its secret, base64url: messages are encrypted for it (RFC 8291). */
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [
    uniqueIndex("push_subscriptions_endpoint").on(t.endpoint),
    index("push_subscriptions_of_account").on(t.accountId, t.createdAt, t.id),
    index("push_subscriptions_of_session").on(t.sessionId),
  ],
);

/** Notifications waiting to be sent. A row is deleted once the push service has accepted it. */
export const pushMessages = pgTable(
  "push_messages",
  {
    id: bigserial({ mode: "number" }).primaryKey(),
    subscriptionId: bigint({ mode: "number" })
      .notNull()
      .references(() => pushSubscriptions.id, { onDelete: "cascade" }),
    title: text().notNull(),
    body: text().notNull(),
    /** The page that the notification opens: a path of this site. */
    path: text().notNull(),
    attempts: integer().notNull().default(0),
    /** When to send it. A sender postpones it when it claims the row, so that no other sender claims it too. */
    dueAt: time().notNull(),
    /** When it is too old to send. */
    expiresAt: time().notNull(),
  },
  (t) => [index("push_messages_due").on(t.dueAt), index("push_messages_of_subscription").on(t.subscriptionId)],
);
