import { and, asc, eq, gt, inArray, like, lte, ne } from "drizzle-orm";
import { addMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import { afterCommit } from "../db/after-commit";
import type { Database } from "../db/database";
import { alerts } from "../db/schema/alerts";

/** What alerts are about. docs/operating.md says what each of them means. */
export const alertKinds = [
  "books",
  "codes",
  "consolidation",
  "deposit",
  "ether",
  "history",
  "hold",
  "identity-checks",
  "liquidity",
  "mail",
  "nonce",
  "order",
  "payment",
  "payments-off",
  "rescan",
  "reserves",
  "surplus",
  "swaps",
  "transfer",
  "unchecked",
  "uncredited",
  "unknown",
  "unpayable",
] as const;

type AlertKind = (typeof alertKinds)[number];

type Alert = {
  /** What the alert is about, such as `payment:ID`, `order:ID` or `reserves:ASSET`. */
  subject: AlertKind | `${AlertKind}:${string}`;
  orderId?: string;
  /** What has happened, in sentences for the operator. */
  reason: string;
  /** What the operator should do about it, in sentences. */
  action: string;
  at: Date;
  /** When the exchange tries again without an operator, if it does. */
  retryAt?: Date | null;
};

/**
 * Records that something waits for an operator. The first time, and whenever the action for the operator changes, it is
 * logged at level `fatal` after the transaction. `operate status` lists it until `clearAlert`.
 */
export async function raiseAlert(db: Database, { log }: Pick<ExchangeContext, "log">, alert: Alert): Promise<void> {
  const { subject, orderId = null, reason, action, at, retryAt = null } = alert;
  const mustLog = await storeAlert(db, { subject, orderId, reason, action, since: at, retryAt });
  if (!mustLog) return;
  afterCommit(db, () => log.fatal({ subject, order: orderId, reason, action }, "an alert was raised for the operator"));
}

/** @returns whether the alert is new or its action has changed */
async function storeAlert(db: Database, row: typeof alerts.$inferSelect): Promise<boolean> {
  const { subject, reason, action, retryAt } = row;
  const known = await db
    .update(alerts)
    .set({ reason, retryAt })
    .where(and(eq(alerts.subject, subject), eq(alerts.action, action)))
    .returning({ subject: alerts.subject });
  if (known.length === 1) return false;
  const stored = await db
    .insert(alerts)
    .values(row)
    .onConflictDoUpdate({
      target: alerts.subject,
      set: { reason, action, retryAt },
      setWhere: ne(alerts.action, action),
    })
    .returning({ subject: alerts.subject });
  return stored.length === 1;
}

/** Removes alerts; does nothing if there are none. */
export async function clearAlert(db: Database, ...subjects: string[]): Promise<void> {
  await db.delete(alerts).where(inArray(alerts.subject, subjects));
}

/** Whether there is an alert about a subject, and if `action` is given, one with this action. */
export async function hasAlert(db: Database, subject: string, action?: string): Promise<boolean> {
  const isSame = action === undefined ? undefined : eq(alerts.action, action);
  const rows = await db
    .select({ subject: alerts.subject })
    .from(alerts)
    .where(and(eq(alerts.subject, subject), isSame));
  return rows.length > 0;
}

/** Everything that waits for an operator, oldest first. */
export async function listAlerts(db: Database): Promise<(typeof alerts.$inferSelect)[]> {
  return db.select().from(alerts).orderBy(asc(alerts.since), asc(alerts.subject));
}

/**
 * The subjects that start with `prefix` and whose next try is not due yet. A next try more than `longestMs` away does not
 * count: the database's clock was ahead when it was set, and has been corrected since (T61).
 */
export async function listPostponed(
  db: Database,
  prefix: string,
  { now, longestMs }: { now: Date; longestMs: number },
): Promise<Set<string>> {
  const rows = await db
    .select({ subject: alerts.subject })
    .from(alerts)
    .where(
      and(like(alerts.subject, `${prefix}%`), gt(alerts.retryAt, now), lte(alerts.retryAt, addMs(now, longestMs))),
    );
  return new Set(rows.map((row) => row.subject));
}
