import { eq } from "drizzle-orm";
import type { ExchangeContext, Mail } from "../context";
import type { Database } from "../db/database";
import { claimDue, retryLater } from "../db/queue";
import { outbox } from "../db/schema/mail";
import { newId } from "../ids";
import { deriveKey, seal, unseal } from "../secrets";

const dayMs = 86_400_000;

/**
 * Queues an e-mail in the transaction that causes it, so that it is sent if and only if the
 * transaction commits. After `ttlMs` it is dropped instead of being sent late.
 */
export async function queueMail(
  tx: Database,
  ctx: ExchangeContext,
  mail: Mail,
  { now, ttlMs = dayMs }: { now: Date; ttlMs?: number },
): Promise<void> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: CR and LF would end a header (T33)
  if (/[\u0000-\u001f\u007f]/.test(mail.to + mail.subject + (mail.replyTo ?? "")))
    throw new Error("Invariant: a mail header must not contain a line break");
  const id = newId();
  await tx.insert(outbox).values({
    id,
    body: seal(deriveKey(ctx.config.secret, "outbox"), JSON.stringify(mail), id),
    dueAt: now,
    expiresAt: new Date(now.getTime() + ttlMs),
    createdAt: now,
  });
}

/**
 * Sends the e-mails that are due. Called by a job and by `flushOutbox`.
 * @returns how many were sent
 */
export async function sendOutbox(ctx: ExchangeContext): Promise<number> {
  const now = await ctx.clock.now(ctx.db);
  const key = deriveKey(ctx.config.secret, "outbox");
  let sent = 0;
  for (const row of await claimDue(ctx.db, outbox, now)) {
    try {
      await ctx.mail.send(JSON.parse(unseal(key, row.body, row.id)) as Mail);
      await ctx.db.delete(outbox).where(eq(outbox.id, row.id));
      sent += 1;
    } catch (error) {
      await retryLater(ctx.db, outbox, row, now);
      const reason = error instanceof Error ? error.name : "unknown";
      ctx.log.warn({ mailId: row.id, attempts: row.attempts, reason }, "could not send an e-mail; will retry");
    }
  }
  return sent;
}

/** The current run of each context. Flushes during a run cause one more round, not many. */
const running = new WeakMap<ExchangeContext, { again: boolean; done: Promise<void> }>();

/**
 * Starts sending in the background. A request does not wait for the mail server, so known and
 * unknown recipients take the same time (T26). The job retries what fails; of a `web` process, it sends everything.
 */
export function flushOutbox(ctx: ExchangeContext): void {
  if (ctx.config.role === "web") return;
  const current = running.get(ctx);
  if (current) {
    current.again = true;
    return;
  }
  const state = { again: true, done: Promise.resolve() };
  running.set(ctx, state);
  state.done = (async () => {
    try {
      while (state.again) {
        state.again = false;
        await sendOutbox(ctx);
      }
    } catch (error) {
      ctx.log.warn({ reason: error instanceof Error ? error.name : "unknown" }, "could not read the outbox");
    } finally {
      // In the same tick as the end of the loop, so that no flush is missed.
      running.delete(ctx);
    }
  })();
}

/** Waits for the current run. Call it before closing the database. */
export async function drainOutbox(ctx: ExchangeContext): Promise<void> {
  await running.get(ctx)?.done;
}
