import { and, eq, inArray, isNotNull, isNull, lte, ne, or, type SQL } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { type AccountRow, accessTokens, accounts, type SessionRow, sessions } from "../db/schema/accounts";
import { pushSubscriptions } from "../db/schema/push";
import { ExchangeError, invariant } from "../errors";
import { devicesSignedOutMail } from "../mail/messages/account";
import type { Caller } from "./caller";
import { isPasskeyFresh, requireFreshPasskey } from "./fresh-passkey";
import { requireOpenSession } from "./require-open-session";
import { mayRepeatNotice, queueSecurityNotice } from "./security-notices";
import { isSessionExpired } from "./session-state";

type EndedSession = Pick<SessionRow, "createdAt" | "lastUsedAt">;

/**
 * Ends the open sessions of an account that match `which`, and deletes their access tokens. An account may have had any
 * number of sessions before there was a limit, so their ids are not sent as parameters: a statement has at most 65,535.
 * @returns the sessions that it ended
 */
export async function revokeSessions(
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
  await revokeSessions(tx, accountId, { which, now });
}

/**
 * Which of the account's sessions the caller may end (T12). A caller who has just verified a passkey may end all of
 * them. Otherwise, a session may end only itself and sessions that began earlier and are not stronger: someone who
 * stole a session, or read a code, cannot end sessions that the owner opens later.
 */
function isEndable(ctx: ExchangeContext, caller: Caller, now: Date): SQL | undefined {
  if (isPasskeyFresh(ctx, caller, now)) return undefined;
  const isNotStronger = caller.method === "passkey" ? undefined : eq(sessions.method, "email");
  return or(eq(sessions.id, caller.sessionId), and(lte(sessions.createdAt, caller.signedInAt), isNotStronger));
}

/**
 * Ends all sessions except the caller's and those that it may not end, and tells the owner. Locks the account first.
 * Requests that continue a session in a new one lock it too, so the new session also ends. @throws token_expired
 */
export async function revokeOtherSessions(ctx: ExchangeContext, caller: Caller): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { account, now } = await lockForEnding(tx, ctx, caller);
    const which = and(ne(sessions.id, caller.sessionId), isEndable(ctx, caller, now));
    await notifyEnded(tx, ctx, account, { ended: await revokeSessions(tx, account.id, { which, now }), now });
  });
}

type Owner = Pick<AccountRow, "id" | "email" | "emailVerifiedAt">;

/** Locks the account, so that if two sessions end each other, only one succeeds. @throws token_expired */
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
 * @throws not_found, including for sessions of other accounts; passkey_required or passkey_too_old if the caller has to
 *   verify a passkey first; token_expired
 */
export async function endSession(ctx: ExchangeContext, caller: Caller, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { account, now } = await lockForEnding(tx, ctx, caller);
    const ended = await revokeSessions(tx, account.id, {
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
    await revokeSessions(tx, accountId, { which: eq(sessions.id, sessionId), now: await ctx.clock.now(tx) });
  });
}
