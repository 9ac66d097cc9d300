import { index, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

const time = () => timestamp({ withTimezone: true });

/** Mails to be sent. The row goes when the mail went; the body is sealed, since it may carry a code. */
export const outbox = pgTable(
  "outbox",
  {
    id: text().primaryKey(),
    body: text().notNull(),
    attempts: integer().notNull().default(0),
    /** Not before; pushed forward by whoever takes the row, so that two senders never have it at once. */
    dueAt: time().notNull(),
    /** After this it is of no use (a code that has expired) and is dropped. */
    expiresAt: time().notNull(),
    createdAt: time().notNull(),
  },
  (t) => [index("outbox_due").on(t.dueAt)],
);
