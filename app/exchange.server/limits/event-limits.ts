import { and, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { addMs } from "../../lib/durations";
import type { Database } from "../db/database";
import { lockFor } from "../db/database";
import { limitEvents } from "../db/schema/accounts";
import { newId } from "../ids";

export type Window = {
  max: number;
  ms: number;
  /** Even if a window is full, another event is allowed this long after the last one. */
  thenEveryMs?: number;
};

/** The limit on the events of a key. */
export type EventLimit = { key: string; windows: Window[] };

/**
 * Counts one event of each key. If a window of any key is full, nothing is counted. The windows slide, so twice as many
 * events cannot fit around a boundary. Locks, held until `tx` ends, make events of one key sequential. Callers lock
 * keys in the same order.
 * @returns the events' ids (for `removeLimitEvents`), or null if a limit is reached
 */
export async function consumeEventLimits(tx: Database, limits: EventLimit[], now: Date): Promise<string[] | null> {
  for (const { key, windows } of limits) {
    await lockFor(tx, `limit:${key}`);
    if (!(await hasRoom(tx, key, windows, now))) return null;
  }
  const events = limits.map(({ key }) => ({ id: newId(), key, at: now }));
  await tx.insert(limitEvents).values(events);
  return events.map(({ id }) => id);
}

/** Whether these limits allow another event. Does not count it. */
export async function allowEvent(tx: Database, limits: EventLimit[], now: Date): Promise<boolean> {
  for (const { key, windows } of limits) if (!(await hasRoom(tx, key, windows, now))) return false;
  return true;
}

async function hasRoom(tx: Database, key: string, windows: Window[], now: Date): Promise<boolean> {
  const since = (ms: number) => addMs(now, -ms);
  const longest = Math.max(...windows.map(({ ms }) => ms));
  const counts = windows.map(({ ms }, i): [string, SQL<number>] => [
    `window${i}`,
    sql<number>`(count(*) filter (where ${gt(limitEvents.at, since(ms))}))::int`,
  ]);
  const [row] = await tx
    .select({ ...Object.fromEntries(counts), last: sql`max(${limitEvents.at})`.mapWith(limitEvents.at) })
    .from(limitEvents)
    .where(and(eq(limitEvents.key, key), gt(limitEvents.at, since(longest))));
  const { last, ...counted } = row as { last: Date | null } & Record<string, number>;
  return windows.every(({ max, thenEveryMs }, i) => {
    if ((counted[`window${i}`] ?? 0) < max) return true;
    return thenEveryMs !== undefined && last !== null && last <= since(thenEveryMs);
  });
}

/** The number of seconds until these limits allow another event, at least 1. Ignores `thenEveryMs`. */
export async function toRetryAfterSeconds(tx: Database, limits: EventLimit[], now: Date): Promise<number> {
  const waits: number[] = [];
  for (const { key, windows } of limits) {
    for (const { max, ms } of windows) {
      // There is room again once this event has left the window.
      const [last] = await tx
        .select({ at: limitEvents.at })
        .from(limitEvents)
        .where(eq(limitEvents.key, key))
        .orderBy(desc(limitEvents.at))
        .limit(1)
        .offset(max - 1);
      if (last) waits.push(last.at.getTime() + ms - now.getTime());
    }
  }
  return Math.max(1, Math.ceil(Math.max(0, ...waits) / 1_000));
}

/** Removes events that should not count. */
export async function removeLimitEvents(tx: Database, ids: string[]): Promise<void> {
  await tx.delete(limitEvents).where(inArray(limitEvents.id, ids));
}

/** Deletes events older than the longest window. */
export async function purgeLimitEvents(db: Database, longestMs: number, now: Date): Promise<void> {
  await db.delete(limitEvents).where(lt(limitEvents.at, addMs(now, -longestMs)));
}
