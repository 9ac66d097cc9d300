import { and, desc, eq, gt, inArray, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { Session, Tokens } from "../../api/contract";
import { addMs, minuteMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import { inBatches } from "../db/batches";
import type { Database } from "../db/database";
import { newestFirst, type PageRequest } from "../db/pages";
import { prepareQuery } from "../db/prepare-query";
import { type AccountRow, accessTokens, accounts, sessions } from "../db/schema/accounts";
import { pushSubscriptions } from "../db/schema/push";
import { ExchangeError, invariant } from "../errors";
import { newId } from "../ids";
import { devicesSignedOutMail, sessionEndedMail } from "../mail/messages/account";
import type { Caller } from "./caller";
import { isPasskeyFresh, requireFreshPasskey } from "./fresh-passkey";
import { requireOpenSession } from "./open-session";
import { mayRepeatNotice, queueSecurityNotice } from "./security-notices";
import { deriveAccessToken, deriveRefreshToken, hashAccessToken, readRefreshToken } from "./tokens";

type SessionRow = typeof sessions.$inferSelect;
type EndedSession = Pick<SessionRow, "createdAt" | "lastUsedAt">;

export type NewSession = {
  accountId: string;
  method: "email" | "passkey";
  passkeyAt: Date | null;
  passkeyId: string | null;
  userAgent: string | null;
  /** When the passkey session that this one continues began: the absolute end stays the same (T32). */
  createdAt?: Date;
};

/**
 * `perMethod`: how many sessions an account may have open at a time, counted separately for passkeys and for codes. People
 * have a few, and programs do not need more. `ended`: for how many ended sessions the rows are kept.
 */
export const maxSessions = { perMethod: 50, ended: 100 };

/**
 * Opens a session, which is a family of tokens. Every sign-in and step-up opens a new one (T4). If the account has too
 * many, the one that was not used for the longest time ends. Callers have locked the account, if it is not new.
 */
export async function openSession(tx: Database, ctx: ExchangeContext, session: NewSession, now: Date): Promise<Tokens> {
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
  await revoke(tx, accountId, { which: inArray(sessions.id, unused), now });
  const ended = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(ofAccount(isNotNull(sessions.revokedAt)))
    .orderBy(desc(sessions.revokedAt), desc(sessions.id))
    .offset(maxSessions.ended);
  await tx.delete(sessions).where(inArray(sessions.id, ended));
}

async function issueTokens(
  tx: Database,
  ctx: ExchangeContext,
  { sessionId, generation, now }: { sessionId: string; generation: number; now: Date },
): Promise<Tokens> {
  const tokens = deriveTokens(ctx, sessionId, generation);
  await tx.insert(accessTokens).values({
    hash: hashAccessToken(tokens.access_token),
    sessionId,
    expiresAt: addMs(now, ctx.config.accessTokenTtlMs),
  });
  return tokens;
}

function deriveTokens(ctx: ExchangeContext, sessionId: string, generation: number): Tokens {
  const { secret } = ctx.config;
  return {
    access_token: deriveAccessToken(secret, sessionId, generation),
    refresh_token: deriveRefreshToken(secret, sessionId, generation),
  };
}

/** The minimum time between two updates of a session's last use. */
const touchIntervalMs = minuteMs;

const selectCallers = prepareQuery("callers", { hashes: sql<string[]>`text[]` }, (db, { hashes }) =>
  db
    .select({ token: accessTokens, session: sessions, account: accounts })
    .from(accessTokens)
    .innerJoin(sessions, eq(sessions.id, accessTokens.sessionId))
    .innerJoin(accounts, eq(accounts.id, sessions.accountId))
    .where(sql`${accessTokens.hash} = any(${hashes})`),
);

const selectCaller = inBatches(async (db, hashes: string[]) => {
  const rows = await selectCallers(db, { hashes: [...new Set(hashes)] });
  const byHash = new Map(rows.map((row) => [row.token.hash, row]));
  return hashes.map((hash) => byHash.get(hash));
});

/**
 * Records when sessions were last used. Calls that arrive together, such as all calls for one page, share a statement.
 */
const recordUse = inBatches(async (db, uses: { sessionId: string; at: Date }[]) => {
  const ids = uses.map(({ sessionId }) => sessionId);
  const lastUsedAt = new Date(Math.max(...uses.map(({ at }) => at.getTime())));
  await db.update(sessions).set({ lastUsedAt }).where(inArray(sessions.id, ids));
  return uses;
});

/** Returns the caller behind an access token, or null if the token is not valid. */
export async function findCaller(ctx: ExchangeContext, token: string): Promise<Caller | null> {
  if (token.length > 100) return null;
  const [now, row] = await Promise.all([ctx.clock.now(ctx.db), selectCaller(ctx.db, hashAccessToken(token))]);
  if (!row || row.token.expiresAt <= now || !isSessionActive(ctx, row.session, now)) return null;
  const { session, account } = row;
  // A session that was opened while the account was being deleted.
  if (account.deletedAt) return null;
  if (now.getTime() - session.lastUsedAt.getTime() > Math.min(touchIntervalMs, ctx.config.sessionIdleMs / 4)) {
    await recordUse(ctx.db, { sessionId: session.id, at: now });
  }
  return {
    accountId: account.id,
    sessionId: session.id,
    email: account.email,
    emailVerified: account.emailVerifiedAt !== null,
    method: session.method,
    signedInAt: session.createdAt,
    passkeyAt: session.passkeyAt,
    isActive: account.isActive,
    isBlocked: account.blockedAt !== null,
    kycStatus: account.kycStatus,
    payoutsWaitUntil: account.payoutsWaitUntil,
    mutedMails: account.mutedMails,
    createdAt: account.createdAt,
  };
}

/**
 * Returns which of these hashed access tokens are valid, in one query. Does not count as a use of
 * their sessions.
 */
export async function findActiveTokens(ctx: ExchangeContext, hashes: string[]): Promise<Set<string>> {
  const [now, rows] = await Promise.all([
    ctx.clock.now(ctx.db),
    ctx.db
      .select({
        hash: accessTokens.hash,
        expiresAt: accessTokens.expiresAt,
        session: { createdAt: sessions.createdAt, lastUsedAt: sessions.lastUsedAt, revokedAt: sessions.revokedAt },
      })
      .from(accessTokens)
      .innerJoin(sessions, eq(sessions.id, accessTokens.sessionId))
      .innerJoin(accounts, eq(accounts.id, sessions.accountId))
      .where(and(inArray(accessTokens.hash, hashes), isNull(accounts.blockedAt), isNull(accounts.deletedAt))),
  ]);
  const active = rows.filter((row) => row.expiresAt > now && isSessionActive(ctx, row.session, now));
  return new Set(active.map(({ hash }) => hash));
}

function isSessionActive(
  ctx: ExchangeContext,
  session: Pick<SessionRow, "createdAt" | "lastUsedAt" | "revokedAt">,
  now: Date,
): boolean {
  return session.revokedAt === null && !isSessionExpired(ctx, session, now);
}

function isSessionExpired(
  ctx: ExchangeContext,
  { createdAt, lastUsedAt }: Pick<SessionRow, "createdAt" | "lastUsedAt">,
  now: Date,
): boolean {
  const isIdle = lastUsedAt.getTime() + ctx.config.sessionIdleMs <= now.getTime();
  return isIdle || createdAt.getTime() + ctx.config.sessionAbsoluteMs <= now.getTime();
}

/**
 * C07. Replaces the newest refresh token with its successor. For `refreshGraceMs` the previous
 * token returns the same successor, because a response may get lost and loaders refresh in
 * parallel. An older token was stolen or replayed and ends the session (RFC 9700, 4.14.2).
 * @throws refresh_invalid, user_blocked
 */
export async function refreshSession(ctx: ExchangeContext, refreshToken: string): Promise<Tokens> {
  const token = readRefreshToken(ctx.config.secret, refreshToken);
  if (!token) throw new ExchangeError("refresh_invalid");
  const outcome = await ctx.db.transaction(async (tx) => {
    const [session] = await tx.select().from(sessions).where(eq(sessions.id, token.sessionId)).for("update");
    const now = await ctx.clock.now(tx);
    if (!session || !isSessionActive(ctx, session, now) || token.generation > session.generation)
      return "refresh_invalid";
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, session.accountId));
    if (account?.deletedAt) return "refresh_invalid";
    if (!account || account.blockedAt) return "user_blocked";

    if (token.generation === session.generation) {
      const generation = session.generation + 1;
      await tx.update(sessions).set({ generation, rotatedAt: now, lastUsedAt: now }).where(eq(sessions.id, session.id));
      return issueTokens(tx, ctx, { sessionId: session.id, generation, now });
    }
    const sinceRotation = now.getTime() - session.rotatedAt.getTime();
    if (token.generation === session.generation - 1 && sinceRotation <= ctx.config.refreshGraceMs) {
      return deriveTokens(ctx, session.id, session.generation);
    }
    await revoke(tx, session.accountId, { which: eq(sessions.id, session.id), now });
    await queueSecurityNotice(tx, ctx, account, { mail: sessionEndedMail(account.email, now), now });
    ctx.log.warn({ sessionId: session.id }, "an old refresh token was used again; ended its session");
    return "refresh_invalid";
  });
  if (typeof outcome === "string") throw new ExchangeError(outcome);
  return outcome;
}

/**
 * Ends the open sessions of an account that match `which`, and deletes their access tokens. An account may have had any
 * number of sessions before there was a limit, so their ids are not sent as parameters: a statement has at most 65,535.
 * @returns the sessions that it ended
 */
async function revoke(
  tx: Database,
  accountId: string,
  { which, now }: { which: SQL | undefined; now: Date },
): Promise<EndedSession[]> {
  const rows = await tx
    .update(sessions)
    .set({ revokedAt: now })
    .where(and(eq(sessions.accountId, accountId), isNull(sessions.revokedAt), which))
    .returning({ createdAt: sessions.createdAt, lastUsedAt: sessions.lastUsedAt });
  if (rows.length === 0) return rows;
  const ended = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.accountId, accountId), isNotNull(sessions.revokedAt)));
  await tx.delete(accessTokens).where(inArray(accessTokens.sessionId, ended));
  // The next person to use the browser must not get notifications about this account.
  await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.sessionId, ended));
  return rows;
}

/** Ends an account's sessions: all, all except one, or only those opened by one passkey. */
export async function revokeAccountSessions(
  tx: Database,
  accountId: string,
  now: Date,
  { except, passkeyId }: { except?: string; passkeyId?: string } = {},
): Promise<void> {
  const which = and(
    except === undefined ? undefined : ne(sessions.id, except),
    passkeyId === undefined ? undefined : eq(sessions.passkeyId, passkeyId),
  );
  await revoke(tx, accountId, { which, now });
}

/**
 * Which of the account's sessions the caller may end (T12). A passkey that was verified just now may end all. Otherwise,
 * a session ends only itself and those that began before it and are not stronger: someone who stole a session, or read a
 * code, cannot end those that the owner opens later.
 */
function isEndable(ctx: ExchangeContext, caller: Caller, now: Date): SQL | undefined {
  if (isPasskeyFresh(ctx, caller, now)) return undefined;
  const isNotStronger = caller.method === "passkey" ? undefined : eq(sessions.method, "email");
  return or(eq(sessions.id, caller.sessionId), and(lte(sessions.createdAt, caller.signedInAt), isNotStronger));
}

/**
 * Ends all sessions except the caller's and those that it may not end, and tells the owner. Locks the account first, as
 * requests do that continue a session in a new one: the new one then ends as well. @throws token_expired
 */
export async function revokeOtherSessions(ctx: ExchangeContext, caller: Caller): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { account, now } = await lockForEnding(tx, ctx, caller);
    const which = and(ne(sessions.id, caller.sessionId), isEndable(ctx, caller, now));
    await notifyEnded(tx, ctx, account, { ended: await revoke(tx, account.id, { which, now }), now });
  });
}

type Owner = Pick<AccountRow, "id" | "email" | "emailVerifiedAt">;

/** Locks the account, so that of two sessions that end each other only one succeeds. @throws token_expired */
async function lockForEnding(
  tx: Database,
  ctx: ExchangeContext,
  caller: Caller,
): Promise<{ account: Owner; now: Date }> {
  const { id, email, emailVerifiedAt } = accounts;
  const [account] = await tx
    .select({ id, email, emailVerifiedAt })
    .from(accounts)
    .where(eq(id, caller.accountId))
    .for("no key update");
  invariant(account, "the caller has an account");
  await requireOpenSession(tx, caller);
  return { account, now: await ctx.clock.now(tx) };
}

/** Tells the owner that other sessions were ended, perhaps by someone who stole one (T12). */
async function notifyEnded(
  tx: Database,
  ctx: ExchangeContext,
  account: Owner,
  { ended, now }: { ended: EndedSession[]; now: Date },
): Promise<void> {
  const devices = ended.filter((session) => !isSessionExpired(ctx, session, now)).length;
  if (devices === 0 || !(await mayRepeatNotice(tx, "ended-sessions", account.id, now))) return;
  await queueSecurityNotice(tx, ctx, account, { mail: devicesSignedOutMail(account.email, devices, now), now });
}

/** Ends the sessions of all accounts. */
export async function revokeAllSessions(tx: Database, now: Date): Promise<void> {
  await tx.update(sessions).set({ revokedAt: now }).where(isNull(sessions.revokedAt));
  await tx.delete(accessTokens);
  await tx.delete(pushSubscriptions);
}

/**
 * Ends one session of the caller's account, and tells the owner, unless it is the caller's.
 * @throws not_found, including for sessions of other accounts; passkey_required or passkey_too_old if it takes a passkey
 *   verified just now; token_expired
 */
export async function endSession(ctx: ExchangeContext, caller: Caller, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { account, now } = await lockForEnding(tx, ctx, caller);
    const ended = await revoke(tx, account.id, {
      which: and(eq(sessions.id, id), isEndable(ctx, caller, now)),
      now,
    });
    if (ended.length > 0) {
      if (id !== caller.sessionId) await notifyEnded(tx, ctx, account, { ended, now });
      return;
    }
    const [row] = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(and(eq(sessions.id, id), eq(sessions.accountId, caller.accountId), isNull(sessions.revokedAt)));
    if (!row) throw new ExchangeError("not_found");
    requireFreshPasskey(ctx, caller, now);
  });
}

/** Ends the caller's own session. Succeeds if another request has ended it in the meantime. */
export async function endOwnSession(ctx: ExchangeContext, { accountId, sessionId }: Caller): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await revoke(tx, accountId, { which: eq(sessions.id, sessionId), now: await ctx.clock.now(tx) });
  });
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
