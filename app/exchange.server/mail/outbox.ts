import { eq, inArray, lte, sql } from "drizzle-orm";
import type { ExchangeContext, Mail } from "../context";
import type { Database } from "../db/database";
import { outbox } from "../db/schema/mail";
import { newId } from "../ids";
import { deriveKey, seal, unseal } from "../secrets";

const dayMs = 86_400_000;
/** How long a sender has to send an e-mail before another sender may claim it. */
const claimMs = 60_000;
const retryMs = [5_000, 30_000, 120_000, 600_000] as const;
const batchSize = 20;

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
 * Sends the e-mails that are due. Called by a job and by `flushOutbox`. Claiming an e-mail
 * postpones its next attempt by a minute, so that no other sender takes it meanwhile. If the
 * sender dies, another one sends the e-mail after that minute: it may arrive twice, but is never lost.
 * @returns how many were sent
 */
export async function sendOutbox(ctx: ExchangeContext): Promise<number> {
  const now = await ctx.clock.now(ctx.db);
  await ctx.db.delete(outbox).where(lte(outbox.expiresAt, now));
  const key = deriveKey(ctx.config.secret, "outbox");
  const due = ctx.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.dueAt, now))
    .orderBy(outbox.dueAt)
    .limit(batchSize)
    .for("update", { skipLocked: true });
  const claimed = await ctx.db
    .update(outbox)
    .set({ dueAt: new Date(now.getTime() + claimMs), attempts: sql`${outbox.attempts} + 1` })
    .where(inArray(outbox.id, due))
    .returning();
  let sent = 0;
  for (const row of claimed) {
    try {
      await ctx.mail.send(JSON.parse(unseal(key, row.body, row.id)) as Mail);
      await ctx.db.delete(outbox).where(eq(outbox.id, row.id));
      sent += 1;
    } catch (error) {
      const wait = retryMs[Math.min(row.attempts, retryMs.length) - 1] ?? claimMs;
      await ctx.db
        .update(outbox)
        .set({ dueAt: new Date(now.getTime() + wait) })
        .where(eq(outbox.id, row.id));
      const reason = error instanceof Error ? error.name : "unknown";
      ctx.log.warn({ mailId: row.id, attempts: row.attempts, reason }, "could not send an e-mail; will retry");
    }
  }
  return sent;
}

/** Whether an e-mail waits to be sent, now or later. */
export async function hasMail(db: Database): Promise<boolean> {
  const waiting = await db.select({ id: outbox.id }).from(outbox).limit(1);
  return waiting.length > 0;
}

/** The current run of each context. Flushes during a run cause one more round, not many. */
const running = new WeakMap<ExchangeContext, { again: boolean; done: Promise<void> }>();

/**
 * Starts sending in the background. A request does not wait for the mail server, so known and
 * unknown recipients take the same time (T26). The job retries what fails.
 */
export function flushOutbox(ctx: ExchangeContext): void {
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
