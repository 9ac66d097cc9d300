import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, type SQL } from "drizzle-orm";
import type { Session, Tokens } from "../../api/contract";
import { addMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { newestFirst, type PageRequest } from "../db/pages";
import { accessTokens, type SessionRow, sessions } from "../db/schema/accounts";
import { pushSubscriptions } from "../db/schema/push";
import { newId } from "../ids";
import type { Caller } from "./caller";
import { revokeSessions } from "./end-sessions";
import { issueTokens } from "./issue-tokens";

export type NewSession = {
  accountId: string;
  method: "email" | "passkey";
  passkeyAt: Date | null;
  passkeyId: string | null;
  userAgent: string | null;
  /** When the passkey session that this one continues began: the absolute end stays the same (T32). */
  createdAt?: Date;
  /** The session of the account that this one replaces in the same browser, whose notifications continue. */
  replaces?: string | undefined;
};

/**
 * `perMethod`: how many sessions an account may have open at a time, counted separately for passkeys and for codes.
 * People have a few, and programs do not need more. `ended`: how many rows of ended sessions are kept.
 */
export const maxSessions = { perMethod: 50, ended: 100 };

/**
 * Opens a session, which is a family of tokens. Every sign-in and step-up opens a new one (T4). If the account has too
 * many, the least recently used one ends. Callers have locked the account, unless it is new.
 */
export async function openSession(
  tx: Database,
  ctx: ExchangeContext,
  { replaces, ...session }: NewSession,
  now: Date,
): Promise<Tokens> {
  const id = newId();
  await makeRoom(tx, session, now);
  await tx.insert(sessions).values({
    ...session,
    id,
    userAgent: session.userAgent?.replace(/[^\x20-\x7e]/g, "").slice(0, 200) ?? null,
    generation: 0,
    rotatedAt: now,
    createdAt: session.createdAt ?? now,
    lastUsedAt: now,
  });
  if (replaces !== undefined) {
    await tx.update(pushSubscriptions).set({ sessionId: id }).where(eq(pushSubscriptions.sessionId, replaces));
  }
  return issueTokens(tx, ctx, { sessionId: id, generation: 0, now });
}

/**
 * Makes room for another session of an account, so that it costs little to list or end all of them (T12). It ends one that
 * was opened in the same way, so that codes cannot end the sessions of a passkey.
 */
async function makeRoom(tx: Database, { accountId, method }: NewSession, now: Date): Promise<void> {
  const ofAccount = (...which: SQL[]) => and(eq(sessions.accountId, accountId), ...which);
  const unused = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(ofAccount(isNull(sessions.revokedAt), eq(sessions.method, method)))
    .orderBy(desc(sessions.lastUsedAt), desc(sessions.createdAt), desc(sessions.id))
    .offset(maxSessions.perMethod - 1);
  await revokeSessions(tx, accountId, { which: inArray(sessions.id, unused), now });
  const ended = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(ofAccount(isNotNull(sessions.revokedAt)))
    .orderBy(desc(sessions.revokedAt), desc(sessions.id))
    .offset(maxSessions.ended);
  await tx.delete(sessions).where(inArray(sessions.id, ended));
}

/** Returns a page of the account's active sessions, newest first. */
export async function listSessions(ctx: ExchangeContext, caller: Caller, page: PageRequest): Promise<SessionRow[]> {
  const { after, orderBy, limit } = newestFirst(sessions, page);
  const now = await ctx.clock.now(ctx.db);
  return ctx.db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.accountId, caller.accountId),
        isNull(sessions.revokedAt),
        gt(sessions.lastUsedAt, addMs(now, -ctx.config.sessionIdleMs)),
        gt(sessions.createdAt, addMs(now, -ctx.config.sessionAbsoluteMs)),
        after,
      ),
    )
    .orderBy(...orderBy)
    .limit(limit);
}

/** Converts a session to the API's form. `current` marks the caller's own. */
export function toSession(row: SessionRow, caller: Caller): Session {
  return {
    id: row.id,
    method: row.method,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt.toISOString(),
    current: row.id === caller.sessionId,
    user_agent: row.userAgent,
  };
}

/** Deletes expired tokens and sessions. A revoked session stays until its absolute end, unless many have ended since. */
export async function purgeOldSessions(ctx: ExchangeContext): Promise<void> {
  const now = await ctx.clock.now(ctx.db);
  await ctx.db.delete(accessTokens).where(lt(accessTokens.expiresAt, now));
  await ctx.db.delete(sessions).where(lt(sessions.createdAt, addMs(now, -ctx.config.sessionAbsoluteMs)));
}
