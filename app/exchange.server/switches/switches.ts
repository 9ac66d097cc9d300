import { eq } from "drizzle-orm";
import type { Database } from "../db/database";
import { switches } from "../db/schema/switches";

/** What an operator or the exchange itself can switch off: new swaps, or the preparation of payments. */
export type SwitchName = "swaps" | "payments";

/**
 * Switches something off and stores the reason for the operator. Keeps the first reason
 * when it is already off. Returns true if this call switched it off.
 */
export async function switchOff(db: Database, name: SwitchName, reason: string, at: Date): Promise<boolean> {
  const rows = await db
    .insert(switches)
    .values({ name, off: true, reason, changedAt: at })
    .onConflictDoUpdate({
      target: switches.name,
      set: { off: true, reason, changedAt: at },
      setWhere: eq(switches.off, false),
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
