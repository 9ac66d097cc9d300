import { and, asc, eq, inArray, ne, sql } from "drizzle-orm";
import { joinSentences } from "../../lib/join-sentences";
import { type Database, lockFor, sharedLock } from "../db/database";
import { switches } from "../db/schema/switches";

/** What an operator or the exchange itself can switch off: new swaps, or the preparation of payments. */
export type SwitchName = "swaps" | "payments";

type SwitchOff = {
  /** What the stop is about, such as `nonce:USDT`. If it is left out, each reason is a separate cause. */
  cause?: string;
  /** A sentence for the operator. */
  reason: string;
  at: Date;
};

/**
 * Switches something off for a cause. Other causes for which it is off stay as they are.
 * @returns whether the stop is new: the cause was not active yet, or had another reason
 */
export async function switchOff(
  db: Database,
  name: SwitchName,
  { reason, cause = reason, at }: SwitchOff,
): Promise<boolean> {
  const rows = await db
    .insert(switches)
    .values({ name, cause, reason, since: at })
    .onConflictDoUpdate({
      target: [switches.name, switches.cause],
      set: { reason },
      setWhere: ne(switches.reason, reason),
    })
    .returning({ name: switches.name });
  return rows.length === 1;
}

const lockName = "switches";

/**
 * An SQL expression for a transaction that makes a promise or stores a payment. It comes before the statement that reads
 * the switches, and before all row locks, so that `waitUntilStopApplies` can wait until the transaction has ended.
 */
export const switchesLock = sharedLock(lockName);

/** Keeps `waitUntilStopApplies` waiting until the transaction ends: see `switchesLock`. */
export async function lockSwitches(tx: Database): Promise<void> {
  await tx.execute(sql`select ${switchesLock}`);
}

/**
 * Waits for the transactions that may have read the switches before a stop was committed. After that, nothing new is
 * promised or signed, and everything that these transactions stored is visible.
 */
export async function waitUntilStopApplies(db: Database): Promise<void> {
  await db.transaction((tx) => lockFor(tx, lockName));
}

/** Ends causes. A switch stays off if it has other causes too. @returns the reasons of the ended causes */
export async function endCauses(db: Database, name: SwitchName, causes: string[]): Promise<string[]> {
  const rows = await db
    .delete(switches)
    .where(and(eq(switches.name, name), inArray(switches.cause, causes)))
    .returning({ reason: switches.reason });
  return rows.map(({ reason }) => reason);
}

/** The causes for which something is off, oldest first. */
export async function listCauses(db: Database, name: SwitchName): Promise<{ cause: string; reason: string }[]> {
  return db
    .select({ cause: switches.cause, reason: switches.reason })
    .from(switches)
    .where(eq(switches.name, name))
    .orderBy(asc(switches.since), asc(switches.cause));
}

/** What is switched off. */
export async function getSwitchedOff(db: Database): Promise<Record<SwitchName, boolean>> {
  const rows = await db.selectDistinct({ name: switches.name }).from(switches);
  const isOff = (name: SwitchName) => rows.some((row) => row.name === name);
  return { swaps: isOff("swaps"), payments: isOff("payments") };
}

/** The reasons why it is off, the oldest first, or null while it is on. */
export async function getOffReason(db: Database, name: SwitchName): Promise<string | null> {
  const rows = await listCauses(db, name);
  if (rows.length === 0) return null;
  return joinSentences(...rows.map(({ reason }) => reason));
}
