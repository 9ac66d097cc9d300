import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { minuteMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import { inBatches } from "../db/batches";
import { prepareQuery } from "../db/prepare-query";
import { accessTokens, accounts, sessions } from "../db/schema/accounts";
import type { Caller } from "./caller";
import { isSessionActive } from "./session-state";
import { hashAccessToken } from "./tokens";

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
