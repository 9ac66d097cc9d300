import { addMs, dayMs } from "../../lib/durations";
import type { ExchangeContext, Mail } from "../context";
import type { Database } from "../db/database";
import { outbox } from "../db/schema/mail";
import { newId } from "../ids";
import { authenticate, deriveKey, seal } from "../secrets";

type QueueOptions = {
  now: Date;
  ttlMs?: number;
  /** Who caused the e-mail: e-mails of one sender do not delay those of another. */
  sender?: string;
  /** Sends the e-mail before any that a stranger can trigger. For codes and security notices to an address's owner. */
  isUrgent?: boolean;
};

/**
 * Queues an e-mail in the transaction that causes it, so that it is sent if and only if the
 * transaction commits. After `ttlMs` it is dropped instead of being sent late.
 */
export async function queueMail(
  tx: Database,
  ctx: ExchangeContext,
  mail: Mail,
  { now, ttlMs = dayMs, sender = mail.to, isUrgent = false }: QueueOptions,
): Promise<void> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: CR and LF would end a header (T33)
  if (/[\u0000-\u001f\u007f]/.test(mail.to + mail.subject + (mail.replyTo ?? "")))
    throw new Error("Invariant: a mail header must not contain a line break");
  const id = newId();
  await tx.insert(outbox).values({
    id,
    body: seal(deriveKey(ctx.config.secret, "outbox"), JSON.stringify(mail), id),
    isUrgent,
    senderHash: authenticate(deriveKey(ctx.config.secret, "outbox-sender"), sender).toString("base64url"),
    dueAt: now,
    expiresAt: addMs(now, ttlMs),
    createdAt: now,
  });
}
