import { and, eq, isNull } from "drizzle-orm";
import type { Tokens } from "../../api/contract";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { type AccountRow, accounts, consents, passkeyChallenges, passkeys, sessions } from "../db/schema/accounts";
import { deliveryAddresses } from "../db/schema/addresses";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import type { Caller } from "./caller";
import { getVerifyingAccount, redeemEmailCode, type VerifiedEmail } from "./email-codes";
import { revokeAccountSessions } from "./end-sessions";
import { signIn } from "./sign-in";

/**
 * C05. Signs in with an e-mail code. If both the request for the code and this call carry a
 * passkey token of the account, the code verifies the address and the new token keeps the
 * passkey level. Otherwise it is a plain e-mail sign-in, which creates the account if there is
 * none and takes over an account with an unverified address.
 * @throws code_wrong, user_blocked, token_expired
 */
export async function signInByCode(
  ctx: ExchangeContext,
  request: {
    challengeId: string;
    code: string;
    caller: Caller | null;
    hasInvalidToken: boolean;
    userAgent: string | null;
    remoteAddress: string | undefined;
  },
): Promise<Tokens> {
  const { challengeId, code, caller, hasInvalidToken, userAgent, remoteAddress } = request;
  const openSession = async (tx: Database, verified: VerifiedEmail, now: Date) => {
    const account = await findOrCreateAccount(tx, verified.email, now);
    if (account.blockedAt) throw new ExchangeError("user_blocked");
    const isOwnRequest = verified.requestedBy === account.id;
    const own = isOwnRequest ? await getVerifyingSession(tx, caller, verified.email) : null;
    if (account.emailVerifiedAt === null) {
      // The token that requested the code may have expired since. Its owner would lose their passkey.
      const hasEnded = hasInvalidToken || caller?.accountId === account.id;
      if (!own && isOwnRequest && hasEnded) throw new ExchangeError("token_expired");
      if (!own) await removeUnverifiedAccess(tx, account.id, now);
      await tx.update(accounts).set({ emailVerifiedAt: now }).where(eq(accounts.id, account.id));
    }
    const { method, passkeyAt, passkeyId } = own ?? { method: "email" as const, passkeyAt: null, passkeyId: null };
    const continued = { createdAt: own?.createdAt ?? now, replaces: own?.id };
    const session = { method, passkeyAt, passkeyId, ...continued, userAgent, remoteAddress };
    return signIn(tx, ctx, { account, isVerified: true, ...session }, now);
  };
  return redeemEmailCode(ctx, { challengeId, code, remoteAddress }, openSession);
}

/**
 * Returns the caller's active passkey session if it belongs to this address, so that the new token keeps its level. It
 * cannot end before the transaction does.
 */
async function getVerifyingSession(tx: Database, caller: Caller | null, email: string) {
  if (caller === null || getVerifyingAccount(caller, email) === null) return null;
  const [session] = await tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, caller.sessionId), isNull(sessions.revokedAt)))
    .for("share");
  return session ?? null;
}

/** Locks and returns the account of an address. A new account starts with a verified address. */
async function findOrCreateAccount(tx: Database, email: string, now: Date): Promise<AccountRow> {
  await tx.insert(accounts).values({ id: newId(), email, emailVerifiedAt: now, createdAt: now }).onConflictDoNothing();
  const [account] = await tx.select().from(accounts).where(eq(accounts.email, email)).for("no key update");
  // If the account was deleted while this waited for its lock, the address is free again.
  return account ?? findOrCreateAccount(tx, email, now);
}

/**
 * Removes what someone else may have added before the owner of the mailbox signed in: sessions,
 * passkeys, unfinished registrations, addresses the owner could mistake for their own, acceptances of the terms, and
 * muted e-mails.
 */
async function removeUnverifiedAccess(tx: Database, accountId: string, now: Date): Promise<void> {
  await revokeAccountSessions(tx, accountId, now);
  await tx.delete(passkeys).where(eq(passkeys.accountId, accountId));
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.accountId, accountId));
  await tx.delete(consents).where(eq(consents.accountId, accountId));
  await tx.update(accounts).set({ mutedMails: [] }).where(eq(accounts.id, accountId));
  await tx.delete(deliveryAddresses).where(eq(deliveryAddresses.accountId, accountId));
}
