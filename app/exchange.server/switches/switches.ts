import { and, eq, isNotNull, ne, or } from "drizzle-orm";
import type { Database } from "../db/database";
import { switches } from "../db/schema/switches";

/** What an operator or the exchange itself can switch off: new swaps, or the preparation of payments. */
export type SwitchName = "swaps" | "payments";

type SwitchOff = {
  /** Shown to the operator. */
  reason: string;
  at: Date;
  /** Whether this reason is more important than one that is stored already. */
  replaces?: boolean;
  /** The cause whose end, reported to `endCause`, switches it on again. */
  endsWith?: string | null;
};

/**
 * Switches something off and stores the reason. When it is already off, keeps the first reason, unless this one
 * `replaces` it, or the first one would end automatically and this one does not.
 * @returns whether this call switched it off or replaced the reason
 */
export async function switchOff(
  db: Database,
  name: SwitchName,
  { reason, at, replaces = false, endsWith = null }: SwitchOff,
): Promise<boolean> {
  const set = { off: true, reason, endsWith, changedAt: at };
  const rows = await db
    .insert(switches)
    .values({ name, ...set })
    .onConflictDoUpdate({
      target: switches.name,
      set,
      setWhere: or(
        eq(switches.off, false),
        endsWith === null ? isNotNull(switches.endsWith) : undefined,
        replaces ? ne(switches.reason, reason) : undefined,
      ),
    })
    .returning({ name: switches.name });
  return rows.length === 1;
}

const on = { off: false, reason: "", endsWith: null };

/** Switches something back on. If it is already on, only `changedAt` changes. */
export async function switchOn(db: Database, name: SwitchName, at: Date): Promise<void> {
  const set = { ...on, changedAt: at };
  await db
    .insert(switches)
    .values({ name, ...set })
    .onConflictDoUpdate({ target: switches.name, set });
}

/** Switches back on what is off only until this cause ends. Returns true if this call switched something on. */
export async function endCause(db: Database, cause: string, at: Date): Promise<boolean> {
  const rows = await db
    .update(switches)
    .set({ ...on, changedAt: at })
    .where(and(eq(switches.off, true), eq(switches.endsWith, cause)))
    .returning({ name: switches.name });
  return rows.length > 0;
}

/** The reason why it is off, or null while it is on. */
export async function getOffReason(db: Database, name: SwitchName): Promise<string | null> {
  const [row] = await db.select().from(switches).where(eq(switches.name, name));
  return row?.off ? row.reason : null;
}
