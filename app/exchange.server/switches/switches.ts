import { eq, ne, or } from "drizzle-orm";
import type { Database } from "../db/database";
import { switches } from "../db/schema/switches";

/** What an operator or the exchange itself can switch off: new swaps, or the preparation of payments. */
export type SwitchName = "swaps" | "payments";

/**
 * Switches something off and stores the reason for the operator. When it is already off, keeps the first reason,
 * unless this one is more important (`replaces`). Returns true if this call switched it off or replaced the reason.
 */
export async function switchOff(
  db: Database,
  name: SwitchName,
  reason: string,
  at: Date,
  { replaces = false } = {},
): Promise<boolean> {
  const rows = await db
    .insert(switches)
    .values({ name, off: true, reason, changedAt: at })
    .onConflictDoUpdate({
      target: switches.name,
      set: { off: true, reason, changedAt: at },
      setWhere: replaces ? or(eq(switches.off, false), ne(switches.reason, reason)) : eq(switches.off, false),
    })
    .returning({ name: switches.name });
  return rows.length === 1;
}

/** Switches something back on. Does nothing when it is already on. */
export async function switchOn(db: Database, name: SwitchName, at: Date): Promise<void> {
  await db
    .insert(switches)
    .values({ name, off: false, reason: "", changedAt: at })
    .onConflictDoUpdate({ target: switches.name, set: { off: false, reason: "", changedAt: at } });
}

/** The reason why it is off, or null while it is on. */
export async function getSwitchReason(db: Database, name: SwitchName): Promise<string | null> {
  const [row] = await db.select().from(switches).where(eq(switches.name, name));
  return row?.off ? row.reason : null;
}
