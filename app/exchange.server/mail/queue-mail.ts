import { eq } from "drizzle-orm";
import { addMs, dayMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { outbox } from "../db/schema/mail";
import { newId } from "../ids";
import { authenticate, deriveKey, seal } from "../secrets";
import { renderEmail } from "./render";
import type { EmailTemplate } from "./template";

type QueueOptions = {
  now: Date;
  ttlMs?: number;
  /** Who caused the e-mail. One sender's e-mails do not delay another sender's e-mails. */
  sender?: string;
  /** Replaces an e-mail with the same topic that is still queued. */
  topic?: string;
  /**
   * Sends the e-mail before any e-mail that a stranger can trigger. For codes and security notices to an address's
   * owner.
   */
  isUrgent?: boolean;
};

/**
 * Queues an e-mail in the transaction that causes it, so that it is sent if and only if the transaction commits, which
 * wakes the job that sends it. The request does not wait for the mail server, so known and unknown recipients take the
 * same time (T26). After `ttlMs` the e-mail is dropped instead of being sent late.
 */
export async function queueMail(
  tx: Database,
  ctx: ExchangeContext,
  template: EmailTemplate,
  { now, ttlMs = 3 * dayMs, sender = template.to, topic, isUrgent = false }: QueueOptions,
): Promise<void> {
  const mail = renderEmail(template, ctx.config.supportEmail);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: CR and LF would end a header (T33)
  if (/[\u0000-\u001f\u007f]/.test(mail.to + mail.subject + (mail.replyTo ?? "")))
    throw new Error("Invariant: a mail header must not contain a line break");
  if (topic !== undefined) await dropQueuedMail(tx, ctx, topic);
  const id = newId();
  await tx.insert(outbox).values({
    id,
    body: seal(deriveKey(ctx.config.secret, "outbox"), JSON.stringify(mail), id),
    isUrgent,
    senderHash: hash(ctx, "outbox-sender", sender),
    topicHash: topic === undefined ? null : hash(ctx, "outbox-topic", topic),
    dueAt: now,
    expiresAt: addMs(now, ttlMs),
    createdAt: now,
  });
}

/** Deletes an e-mail with this topic that has not been sent yet. */
export async function dropQueuedMail(tx: Database, ctx: ExchangeContext, topic: string): Promise<void> {
  await tx.delete(outbox).where(eq(outbox.topicHash, hash(ctx, "outbox-topic", topic)));
}

function hash({ config }: ExchangeContext, purpose: "outbox-sender" | "outbox-topic", value: string): string {
  return authenticate(deriveKey(config.secret, purpose), value).toString("base64url");
}
