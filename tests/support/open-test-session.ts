import type { Database } from "~/exchange.server/db/database";
import { sessions } from "~/exchange.server/db/schema/accounts";
import { newId } from "~/exchange.server/ids";

/** Stores a passkey session, without tokens. @returns its ID */
export async function openTestSession(db: Database, accountId: string, at = new Date()): Promise<string> {
  const id = newId();
  const times = { rotatedAt: at, createdAt: at, lastUsedAt: at };
  await db.insert(sessions).values({ id, accountId, method: "passkey", generation: 0, ...times });
  return id;
}
