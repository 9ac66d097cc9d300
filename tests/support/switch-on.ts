import { eq } from "drizzle-orm";
import type { Database } from "~/exchange.server/db/database";
import { switches } from "~/exchange.server/db/schema/switches";
import type { SwitchName } from "~/exchange.server/switches/switches";

/** Switches something back on, whatever the cause. */
export async function switchOn(db: Database, name: SwitchName): Promise<void> {
  await db.delete(switches).where(eq(switches.name, name));
}
