import { boolean, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { time } from "../columns";

/**
 * E-mails waiting to be sent; a row is deleted once its e-mail is sent. The body is encrypted, because it may contain a
 * code.
 */
export const outbox = pgTable(
  "outbox",
  {
    id: text().primaryKey(),
    body: text().notNull(),
    attempts: integer().notNull().default(0),
    /** Whether it is sent before all others: a code that the owner of the address requested, or a security notice. */
    isUrgent: boolean().notNull().default(false),
    /**
     * Senders take turns. A keyed hash of the network that requested a code, of the account or network that has sent a
     * message to support, and otherwise of the recipient.
     */
    senderHash: text().notNull().default(""),
    /**
     * A keyed hash of the e-mail's topic, if it has one. Until the e-mail is sent, a newer one with the same topic
     * replaces it.
     */
    topicHash: text(),
    /** When to send it. A sender postpones it when it claims the row, so that no other sender claims it too. */
    dueAt: time().notNull(),
    /** When it becomes useless and is deleted, such as an e-mail with an expired code. */
    expiresAt: time().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [index("outbox_due").on(t.dueAt), index("outbox_topic").on(t.topicHash)],
);

/**
 * Failures since an e-mail was last sent. They show every process how long an outage has lasted, even after the failed
 * e-mails have expired. All rows are deleted when an e-mail is sent.
 */
export const mailFailures = pgTable("mail_failures", {
  /** `server`, or a keyed hash of a recipient whose e-mails the mail server refuses. */
  subject: text().primaryKey(),
  /** Why the last attempt failed, as codes. */
  cause: text().notNull(),
  /** When the first attempt failed. */
  since: time().notNull(),
});
