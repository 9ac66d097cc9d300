import { desc, eq, lte, sql } from "drizzle-orm";
import type { MailSender } from "../context";
import type { Clock } from "../db/clock";
import type { Database } from "../db/database";
import { sandboxMails } from "./tables";

/** A mail as GET /sandbox/inbox shows it; `code` is null where it carries none. */
type InboxMail = { to: string; subject: string; text: string; code: string | null; at: string };

export type SandboxInbox = MailSender & {
  /** Newest first; all recipients when `to` is left out. */
  list(to?: string): Promise<InboxMail[]>;
};

/** Instead of a mail server: keeps the last `keep` mails, which whoever has the sandbox may read. */
export function createSandboxInbox(db: Database, clock: Clock, keep = 1_000): SandboxInbox {
  return {
    async send(mail) {
      const at = await clock.now(db);
      const [row] = await db
        .insert(sandboxMails)
        .values({ to: mail.to, subject: mail.subject, text: mail.text, code: mail.code, at })
        .returning({ id: sandboxMails.id });
      // Now and then is enough to keep the table small.
      if (row && row.id % 50 === 0) await db.delete(sandboxMails).where(lte(sandboxMails.id, row.id - keep));
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
