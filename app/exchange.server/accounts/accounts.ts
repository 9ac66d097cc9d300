import { and, eq, isNull } from "drizzle-orm";
import type { Tokens, User } from "../../api/contract";
import { deliveryAddresses } from "../addresses/tables";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError, invariant } from "../errors";
import type { Caller } from "../http/env";
import { newId } from "../ids";
import { provingAccount, redeemEmailCode } from "./email-codes";
import { openSession, revokeSessionsOf } from "./sessions";
import { accounts, passkeyChallenges, passkeys, sessions } from "./tables";

export type AccountRow = typeof accounts.$inferSelect;

/**
 * C05. A right code signs in. Made with the account's own passkey token at both calls, it
 * proves the address and keeps the token's level. Otherwise it is a plain sign-in: it
 * makes the account where there was none, and takes over one whose address was unproven.
 * @throws code_wrong, user_blocked
 */
export async function signInByCode(
  x: ExchangeContext,
  challengeId: string,
  code: string,
  caller: Caller | null,
  userAgent: string | null,
): Promise<Tokens> {
  return redeemEmailCode(x, challengeId, code, async (tx, proven, now) => {
    const account = await findOrCreate(tx, proven.email, now);
    if (account.blockedAt) throw new ExchangeError("user_blocked");
    const own = proven.askedBy === account.id ? await proverSession(tx, caller, proven.email) : null;
    if (account.emailVerifiedAt === null) {
      if (!own) await dropUnproven(tx, account.id, now);
      await tx.update(accounts).set({ emailVerifiedAt: now }).where(eq(accounts.id, account.id));
    }
    const { method, passkeyAt, passkeyId } = own ?? { method: "email" as const, passkeyAt: null, passkeyId: null };
    return openSession(tx, x, { accountId: account.id, method, passkeyAt, passkeyId, userAgent }, now);
  });
}

/** The living passkey session of the account itself that asks, whose level the new token keeps; else null. */
async function proverSession(tx: Database, caller: Caller | null, email: string) {
  if (caller === null || provingAccount(caller, email) === null) return null;
  const [session] = await tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, caller.sessionId), isNull(sessions.revokedAt)));
  return session ?? null;
}

/** The account of an address, locked; made with the address proven when there is none. */
async function findOrCreate(tx: Database, email: string, now: Date): Promise<AccountRow> {
  await tx.insert(accounts).values({ id: newId(), email, emailVerifiedAt: now, createdAt: now }).onConflictDoNothing();
  const [account] = await tx.select().from(accounts).where(eq(accounts.email, email)).for("no key update");
  invariant(account, "an account that was just made or found");
  return account;
}

/**
 * What somebody made before the mailbox's holder came is theirs no more: passkeys,
 * sessions, half-done registrations, and the addresses that could pass for the holder's.
 */
async function dropUnproven(tx: Database, accountId: string, now: Date): Promise<void> {
  await revokeSessionsOf(tx, accountId, now);
  await tx.delete(passkeys).where(eq(passkeys.accountId, accountId));
  await tx.delete(passkeyChallenges).where(eq(passkeyChallenges.accountId, accountId));
  await tx
    .update(deliveryAddresses)
    .set({ removedAt: now })
    .where(and(eq(deliveryAddresses.accountId, accountId), isNull(deliveryAddresses.removedAt)));
}

/** C02. The caller's account as the API gives it. */
export async function getUser(db: Database, caller: Caller): Promise<User> {
  const [account] = await db.select().from(accounts).where(eq(accounts.id, caller.accountId));
  if (!account) throw new ExchangeError("token_expired");
  return {
    id: account.id,
    email: account.email,
    email_verified: account.emailVerifiedAt !== null,
    created_at: account.createdAt.toISOString(),
    is_active: account.isActive,
    kyc_status: account.kycStatus,
    passkey_authenticated: caller.method === "passkey",
  };
}
