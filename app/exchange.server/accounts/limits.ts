import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "../db/database";
import { lockFor } from "../db/database";
import { newId } from "../ids";
import { limitEvents } from "./tables";

export type Window = { max: number; ms: number };

const dayMs = 86_400_000;

/**
 * Counts one event of `key` unless one of its windows is full; the windows slide, so that
 * there is no boundary at which twice as many fit. Events of one key are taken one after
 * the other: the lock ends with the transaction `tx`.
 * @returns the event's id (for `giveBack`), or null when the limit is reached
 */
export async function takeFromLimit(tx: Database, key: string, windows: Window[], now: Date): Promise<string | null> {
  await lockFor(tx, `limit:${key}`);
  for (const { max, ms } of windows) {
    const [row] = await tx
      .select({ count: sql<number>`count(*)::int` })
      .from(limitEvents)
      .where(and(eq(limitEvents.key, key), gt(limitEvents.at, new Date(now.getTime() - ms))));
    if ((row?.count ?? 0) >= max) return null;
  }
  const id = newId();
  await tx.insert(limitEvents).values({ id, key, at: now });
  return id;
}

/** Takes an event back that turned out not to count. */
export async function giveBack(tx: Database, id: string): Promise<void> {
  await tx.delete(limitEvents).where(eq(limitEvents.id, id));
}

/** Removes events that no window reaches any more. */
export async function forgetLimitEvents(db: Database, now: Date): Promise<void> {
  await db.delete(limitEvents).where(lt(limitEvents.at, new Date(now.getTime() - dayMs)));
}
