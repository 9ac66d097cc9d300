import { eq, inArray, lte, sql } from "drizzle-orm";
import type { ExchangeContext, Mail } from "../context";
import type { Database } from "../db/database";
import { newId } from "../ids";
import { deriveKey, seal, unseal } from "../secrets";
import { outbox } from "./tables";

const dayMs = 86_400_000;
/** How long a sender has for one mail before another may try it. */
const claimMs = 60_000;
const retryMs = [5_000, 30_000, 120_000, 600_000] as const;
const batchSize = 20;

/**
 * Puts a mail into the outbox, within the transaction that gives reason for it: it is sent
 * if and only if that commits. `usefulMs` is when sending it makes no sense any more.
 */
export async function queueMail(
  tx: Database,
  x: ExchangeContext,
  mail: Mail,
  now: Date,
  usefulMs: number = dayMs,
): Promise<void> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: CR and LF would end a header (T33)
  if (/[\u0000-\u001f\u007f]/.test(mail.to + mail.subject)) throw new Error("Invariant: a mail header on two lines");
  const id = newId();
  await tx.insert(outbox).values({
    id,
    body: seal(deriveKey(x.config.secret, "outbox"), JSON.stringify(mail), id),
    dueAt: now,
    expiresAt: new Date(now.getTime() + usefulMs),
    createdAt: now,
  });
}

/**
 * Sends what is due; the job of the queue, and called by `kickOutbox`. Taking a mail pushes
 * its next try forward first, so that nobody else has it meanwhile; a sender that dies is
 * followed by another after a minute (a mail may then arrive twice, never not at all).
 * @returns how many were sent
 */
export async function sendOutbox(x: ExchangeContext): Promise<number> {
  const now = await x.clock.now(x.db);
  await x.db.delete(outbox).where(lte(outbox.expiresAt, now));
  const key = deriveKey(x.config.secret, "outbox");
  const due = x.db
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.dueAt, now))
    .orderBy(outbox.dueAt)
    .limit(batchSize)
    .for("update", { skipLocked: true });
  const claimed = await x.db
    .update(outbox)
    .set({ dueAt: new Date(now.getTime() + claimMs), attempts: sql`${outbox.attempts} + 1` })
    .where(inArray(outbox.id, due))
    .returning();
  let sent = 0;
  for (const row of claimed) {
    try {
      await x.mail.send(JSON.parse(unseal(key, row.body, row.id)) as Mail);
      await x.db.delete(outbox).where(eq(outbox.id, row.id));
      sent += 1;
    } catch (error) {
      const wait = retryMs[Math.min(row.attempts, retryMs.length) - 1] ?? claimMs;
      await x.db
        .update(outbox)
        .set({ dueAt: new Date(now.getTime() + wait) })
        .where(eq(outbox.id, row.id));
      const reason = error instanceof Error ? error.name : "unknown";
      x.log.warn(
        { mailId: row.id, attempts: row.attempts, reason },
        "a mail could not be handed over; tried again later",
      );
    }
  }
  return sent;
}

/** Runs by context, so that kicks during a run lead to one more and not to many. */
const running = new WeakMap<ExchangeContext, { again: boolean; done: Promise<void> }>();

/**
 * Sends soon, without making whoever answers a request wait for a mail server; so known
 * and unknown recipients take the same time too (T26). What fails stays for the job.
 */
export function kickOutbox(x: ExchangeContext): void {
  const present = running.get(x);
  if (present) {
    present.again = true;
    return;
  }
  const state = { again: true, done: Promise.resolve() };
  running.set(x, state);
  state.done = (async () => {
    try {
      while (state.again) {
        state.again = false;
        await sendOutbox(x);
      }
    } catch (error) {
      x.log.warn({ reason: error instanceof Error ? error.name : "unknown" }, "the outbox could not be read");
    } finally {
      // In the same turn in which the loop ended, so that no kick falls between.
      running.delete(x);
    }
  })();
}

/** Waits for the run that is under way; to be called before the database is closed. */
export async function settleOutbox(x: ExchangeContext): Promise<void> {
  await running.get(x)?.done;
}
