import { and, eq, isNull } from "drizzle-orm";
import type { Database } from "../db/database";
import { sessions } from "../db/schema/accounts";
import { ExchangeError } from "../errors";
import type { Caller } from "./caller";

/**
 * Requires that the caller's session has not ended since the request began, and keeps it open until the transaction
 * ends. So whatever ends a session and removes the data it has stored also removes what this transaction stores (T27).
 * @throws token_expired
 */
export async function requireOpenSession(tx: Database, { sessionId }: Pick<Caller, "sessionId">): Promise<void> {
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
    .for("share");
  if (!session) throw new ExchangeError("token_expired");
}
