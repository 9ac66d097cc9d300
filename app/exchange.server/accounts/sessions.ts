import { and, desc, eq, gt, inArray, isNull, lt, ne, or } from "drizzle-orm";
import type { Session, Tokens } from "../../api/contract";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import type { Caller } from "../http/env";
import type { Cursor } from "../http/pages";
import { newId } from "../ids";
import { sessionEndedMail } from "../mail/messages";
import { kickOutbox, queueMail } from "../mail/outbox";
import { accessTokens, accounts, sessions } from "./tables";
import { accessTokenOf, hashAccessToken, readRefreshToken, refreshTokenOf } from "./tokens";

type SessionRow = typeof sessions.$inferSelect;

type NewSession = {
  accountId: string;
  method: "email" | "passkey";
  passkeyAt: Date | null;
  passkeyId: string | null;
  userAgent: string | null;
};

/** Opens a family of tokens. Every sign-in and step-up makes a new one (T4). */
export async function openSession(tx: Database, x: ExchangeContext, session: NewSession, now: Date): Promise<Tokens> {
  const id = newId();
  await tx.insert(sessions).values({
    ...session,
    id,
    userAgent: session.userAgent?.replace(/[^\x20-\x7e]/g, "").slice(0, 200) ?? null,
    generation: 0,
    rotatedAt: now,
    createdAt: now,
    lastUsedAt: now,
  });
  return issue(tx, x, id, 0, now);
}

async function issue(
  tx: Database,
  x: ExchangeContext,
  sessionId: string,
  generation: number,
  now: Date,
): Promise<Tokens> {
  const tokens = tokensOf(x, sessionId, generation);
  await tx.insert(accessTokens).values({
    hash: hashAccessToken(tokens.access_token),
    sessionId,
    expiresAt: new Date(now.getTime() + x.config.accessTokenTtlMs),
  });
  return tokens;
}

function tokensOf(x: ExchangeContext, sessionId: string, generation: number): Tokens {
  const { secret } = x.config;
  return {
    access_token: accessTokenOf(secret, sessionId, generation),
    refresh_token: refreshTokenOf(secret, sessionId, generation),
  };
}

/** How often at most a session's last use is written down. */
const touchMs = 60_000;

/** Who holds this access token, or null when it is not, or no longer, alive. */
export async function findCaller(x: ExchangeContext, token: string): Promise<Caller | null> {
  if (token.length > 100) return null;
  const [now, [row]] = await Promise.all([
    x.clock.now(x.db),
    x.db
      .select({ session: sessions, account: accounts, expiresAt: accessTokens.expiresAt })
      .from(accessTokens)
      .innerJoin(sessions, eq(sessions.id, accessTokens.sessionId))
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .where(eq(accessTokens.hash, hashAccessToken(token))),
  ]);
  if (!row || row.expiresAt <= now || !isAlive(x, row.session, now)) return null;
  const { session, account } = row;
  if (now.getTime() - session.lastUsedAt.getTime() > Math.min(touchMs, x.config.sessionIdleMs / 4)) {
    await x.db.update(sessions).set({ lastUsedAt: now }).where(eq(sessions.id, session.id));
  }
  return {
    accountId: account.id,
    sessionId: session.id,
    email: account.email,
    emailVerified: account.emailVerifiedAt !== null,
    method: session.method,
    passkeyAt: session.passkeyAt,
    isActive: account.isActive,
    isBlocked: account.blockedAt !== null,
    kycStatus: account.kycStatus,
    payoutsWaitUntil: account.payoutsWaitUntil,
  };
}

function isAlive(x: ExchangeContext, session: SessionRow, now: Date): boolean {
  return (
    session.revokedAt === null &&
    session.lastUsedAt.getTime() + x.config.sessionIdleMs > now.getTime() &&
    session.createdAt.getTime() + x.config.sessionAbsoluteMs > now.getTime()
  );
}

/**
 * C07. The newest refresh token is replaced by its successor; its predecessor gets the
 * same successor for `refreshGraceMs` (a lost answer, loaders in parallel); anything
 * older was stolen or replayed, and ends the whole family (RFC 9700 4.14.2).
 * @throws refresh_invalid, user_blocked
 */
export async function refreshSession(x: ExchangeContext, refreshToken: string): Promise<Tokens> {
  const read = readRefreshToken(x.config.secret, refreshToken);
  if (!read) throw new ExchangeError("refresh_invalid");
  const outcome = await x.db.transaction(async (tx) => {
    const [session] = await tx.select().from(sessions).where(eq(sessions.id, read.sessionId)).for("update");
    const now = await x.clock.now(tx);
    if (!session || !isAlive(x, session, now) || read.generation > session.generation) return "refresh_invalid";
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, session.accountId));
    if (!account || account.blockedAt) return "user_blocked";

    if (read.generation === session.generation) {
      const generation = session.generation + 1;
      await tx.update(sessions).set({ generation, rotatedAt: now, lastUsedAt: now }).where(eq(sessions.id, session.id));
      return issue(tx, x, session.id, generation, now);
    }
    const sinceRotation = now.getTime() - session.rotatedAt.getTime();
    if (read.generation === session.generation - 1 && sinceRotation <= x.config.refreshGraceMs) {
      return tokensOf(x, session.id, session.generation);
    }
    await revoke(tx, [session.id], now);
    if (account.emailVerifiedAt) await queueMail(tx, x, sessionEndedMail(account.email, now), now);
    x.log.warn({ sessionId: session.id }, "an old refresh token came back; its session was ended");
    return "refresh_invalid";
  });
  if (outcome === "refresh_invalid") kickOutbox(x);
  if (typeof outcome === "string") throw new ExchangeError(outcome);
  return outcome;
}

/** Ends sessions and forgets their access tokens. */
async function revoke(tx: Database, ids: string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(inArray(sessions.id, ids), isNull(sessions.revokedAt)));
  await tx.delete(accessTokens).where(inArray(accessTokens.sessionId, ids));
}

/** Ends an account's sessions: all, all but one, or those that one passkey opened. Returns how many. */
export async function revokeSessionsOf(
  tx: Database,
  accountId: string,
  now: Date,
  which: { except?: string; passkeyId?: string } = {},
): Promise<number> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(
      and(
        eq(sessions.accountId, accountId),
        isNull(sessions.revokedAt),
        which.except === undefined ? undefined : ne(sessions.id, which.except),
        which.passkeyId === undefined ? undefined : eq(sessions.passkeyId, which.passkeyId),
      ),
    );
  await revoke(
    tx,
    rows.map((row) => row.id),
    now,
  );
  return rows.length;
}

/** Ends one session of the caller's account. @throws not_found, for other people's sessions too */
export async function endSession(x: ExchangeContext, caller: Caller, id: string): Promise<void> {
  await x.db.transaction(async (tx) => {
    const [row] = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.accountId, caller.accountId), isNull(sessions.revokedAt)));
    if (!row) throw new ExchangeError("not_found");
    await revoke(tx, [id], await x.clock.now(tx));
  });
}

/** The account's living sessions, newest first; one row more than `limit` when there are more. */
export async function listSessions(
  x: ExchangeContext,
  caller: Caller,
  limit: number,
  cursor: Cursor | null,
): Promise<SessionRow[]> {
  const now = await x.clock.now(x.db);
  return x.db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.accountId, caller.accountId),
        isNull(sessions.revokedAt),
        gt(sessions.lastUsedAt, new Date(now.getTime() - x.config.sessionIdleMs)),
        gt(sessions.createdAt, new Date(now.getTime() - x.config.sessionAbsoluteMs)),
        cursor
          ? or(lt(sessions.createdAt, cursor.at), and(eq(sessions.createdAt, cursor.at), lt(sessions.id, cursor.id)))
          : undefined,
      ),
    )
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
    .limit(limit + 1);
}

/** A session as the contract shows it; `current` is the caller's own. */
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

/** Removes tokens and families whose time is over. A revoked family stays until its absolute end. */
export async function forgetOldSessions(x: ExchangeContext): Promise<void> {
  const now = await x.clock.now(x.db);
  await x.db.delete(accessTokens).where(lt(accessTokens.expiresAt, now));
  await x.db.delete(sessions).where(lt(sessions.createdAt, new Date(now.getTime() - x.config.sessionAbsoluteMs)));
}
