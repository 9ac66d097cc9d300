import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn, PgTable } from "drizzle-orm/pg-core";
import { addMs, minuteMs } from "../../lib/durations";
import type { Database } from "./database";

/*
 * Tables whose rows are sent once and then deleted: e-mails and notifications. Claiming a row postpones its next
 * attempt by a minute, so that no other sender takes it. If the sender dies, another one sends the row after that
 * minute. So a row may be sent twice, but is never lost.
 */

type QueueTable = PgTable & Record<"id" | "attempts" | "dueAt" | "expiresAt", AnyPgColumn>;

/** How long a sender has to send a row before another sender may claim it. */
const claimMs = minuteMs;
const retryMs = [5_000, 30_000, 120_000, 600_000] as const;

/** Deletes rows that have expired, except those that someone has claimed or postponed. @returns how many */
export async function dropExpired(db: Database, queue: QueueTable, now: Date): Promise<number> {
  const unsent = and(lte(queue.expiresAt, now), lte(queue.dueAt, now));
  const dropped = await db.delete(queue).where(unsent).returning({ id: queue.id });
  return dropped.length;
}

/**
 * Claims rows that are due and have not expired.
 * @param where which of them may be claimed; by default, all
 * @param order what to order rows by if there are more; by default, the oldest is first
 */
export async function claimDue<T extends QueueTable>(
  db: Database,
  queue: T,
  now: Date,
  { limit, where, order = sql`${queue.dueAt}` }: { limit: number; where?: SQL | undefined; order?: SQL },
): Promise<T["$inferSelect"][]> {
  // As an array, so that the subquery runs once: a join could run it for each row and claim more rows than the limit.
  const due = sql`array(select ${queue.id} from ${queue} where ${and(lte(queue.dueAt, now), gt(queue.expiresAt, now), where)}
    order by ${order} limit ${limit} for update skip locked)`;
  const claim = { dueAt: addMs(now, claimMs), attempts: sql`${queue.attempts} + 1` };
  return (await db
    .update(queue)
    .set(claim as never)
    .where(sql`${queue.id} = any(${due})`)
    .returning()) as T["$inferSelect"][];
}

/**
 * Schedules the next attempt to send a claimed row. The wait grows from 5 seconds to 10 minutes.
 * @param row.attempts including the one that failed
 * @param options.now when the row was claimed
 * @param options.minWaitMs how long the receiver has asked us to wait; a row that expires before then is deleted
 */
export async function retryLater(
  db: Database,
  queue: QueueTable,
  { id, attempts, expiresAt }: { id: string | number; attempts: number; expiresAt: Date },
  { now, minWaitMs }: { now: Date; minWaitMs: number },
): Promise<void> {
  const waitMs = retryMs[Math.min(attempts, retryMs.length) - 1] ?? claimMs;
  const latestMs = Math.max(waitMs, expiresAt.getTime() - now.getTime());
  const next = { dueAt: addMs(now, Math.min(Math.max(waitMs, minWaitMs), latestMs)) };
  await db
    .update(queue)
    .set(next as never)
    .where(eq(queue.id, id));
}

/** Whether a row waits to be sent, now or later. */
export async function hasQueued(db: Database, queue: QueueTable): Promise<boolean> {
  const waiting = await db.select({ id: queue.id }).from<PgTable>(queue).limit(1);
  return waiting.length > 0;
}
