import { desc, eq, lte, sql } from "drizzle-orm";
import type { Mail } from "../exchange.server/context";
import type { Clock } from "../exchange.server/db/clock";
import type { Database } from "../exchange.server/db/database";
import { sandboxMails } from "../exchange.server/db/schema/sandbox";

/** An e-mail as GET /sandbox/inbox returns it. `code` is null if it has none. */
type InboxMail = { to: string; subject: string; text: string; code: string | null; at: string };

export type SandboxInbox = {
  send(mail: Mail): Promise<void>;
  /** Returns e-mails newest first, of all recipients if `to` is left out. */
  list(to?: string): Promise<InboxMail[]>;
};

/**
 * Replaces the mail server: stores the last `maxEmails` e-mails, which anyone who uses the sandbox may read. Addresses
 * are stored in lower case, because SUPPORT_EMAIL may contain capitals.
 */
export function createSandboxInbox(db: Database, clock: Clock, maxEmails = 1_000): SandboxInbox {
  return {
    async send(mail) {
      const at = await clock.now(db);
      const [row] = await db
        .insert(sandboxMails)
        .values({ to: mail.to.toLowerCase(), subject: mail.subject, text: mail.text, code: mail.code, at })
        .returning({ id: sandboxMails.id });
      // Deleting occasionally is enough to keep the table small.
      if (row && row.id % 50 === 0) await db.delete(sandboxMails).where(lte(sandboxMails.id, row.id - maxEmails));
    },
    async list(to) {
      const rows = await db
        .select()
        .from(sandboxMails)
        .where(to === undefined ? sql`true` : eq(sandboxMails.to, to.trim().toLowerCase()))
        .orderBy(desc(sandboxMails.id))
        .limit(200);
      return rows.map(({ to: recipient, subject, text, code, at }) => ({
        to: recipient,
        subject,
        text,
        code,
        at: at.toISOString(),
      }));
    },
  };
}
