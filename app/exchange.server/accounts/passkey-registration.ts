import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { PasskeyOptions, Tokens } from "../../api/contract";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import type { Caller } from "../http/env";
import { newId } from "../ids";
import { passkeyAddedMail, recoveryMail } from "../mail/messages";
import { kickOutbox, queueMail } from "../mail/outbox";
import type { AccountRow } from "./accounts";
import { parseEmail } from "./email";
import { burnChallenge, makeChallenge } from "./passkey-challenges";
import { requireFreshPasskey } from "./passkeys";
import { openSession, revokeSessionsOf } from "./sessions";
import { accounts, passkeys, sessions } from "./tables";

/** ES256, EdDSA, RS256: what authenticators make, and what is verified here (T29). */
const algorithms = [-7, -8, -257];
const maxPasskeys = 20;

/**
 * C09. For an unknown identifier a stranger may begin; nothing is made and no mail goes
 * out before C10. On an account that exists only a token of that account may.
 * @throws token_missing, token_expired, passkey_too_old, conflict
 */
export async function startRegistration(
  x: ExchangeContext,
  identifier: string,
  caller: Caller | null,
  deadToken: boolean,
): Promise<PasskeyOptions> {
  const email = parseEmail(identifier);
  const [account] = await x.db.select().from(accounts).where(eq(accounts.email, email));
  if (account) await requireOwner(x, account, caller, deadToken);
  const existing = account ? await x.db.select().from(passkeys).where(eq(passkeys.accountId, account.id)) : [];
  if (existing.length >= maxPasskeys) {
    throw new ExchangeError("conflict", {
      message: `An account keeps up to ${maxPasskeys} passkeys. Remove one first.`,
    });
  }
  const accountId = account?.id ?? newId();
  const sessionId = account && caller ? caller.sessionId : null;
  const { id, challenge } = await makeChallenge(x, { purpose: "register", email, accountId, sessionId });
  const options = await generateRegistrationOptions({
    rpName: "Antelope",
    rpID: x.config.rpId,
    userName: email,
    userDisplayName: email,
    userID: new TextEncoder().encode(accountId),
    challenge,
    timeout: x.config.challengeTtlMs,
    attestationType: "none",
    excludeCredentials: existing.map((row) => ({ id: row.credentialId, transports: row.transports })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
  });
  return { challenge_id: id, options: { ...options } };
}

/** A passkey token must be fresh (T32); an e-mail token is the way back in. */
async function requireOwner(
  x: ExchangeContext,
  account: AccountRow,
  caller: Caller | null,
  deadToken: boolean,
): Promise<Caller> {
  if (caller?.accountId !== account.id) throw new ExchangeError(deadToken ? "token_expired" : "token_missing");
  if (caller.isBlocked) throw new ExchangeError("user_blocked");
  if (caller.method === "passkey") requireFreshPasskey(x, caller, await x.clock.now(x.db));
  return caller;
}

/**
 * C10. Makes the account where there was none, its address unproven; else adds the passkey
 * to the account whose session began. Added with an e-mail token to an account that had a
 * passkey, it is a recovery: other sessions end, a mail tells, payouts wait.
 * @throws challenge_invalid, passkey_invalid, token_missing, token_expired, passkey_too_old, conflict
 */
export async function finishRegistration(
  x: ExchangeContext,
  request: { identifier: string; challengeId: string; attestation: RegistrationResponseJSON },
  caller: Caller | null,
  deadToken: boolean,
  userAgent: string | null,
): Promise<Tokens> {
  const email = parseEmail(request.identifier);
  const expected = await burnChallenge(x, request.challengeId, "register");
  if (expected.email !== email || expected.accountId === null) throw new ExchangeError("challenge_invalid");
  const info = await verify(x, expected.challenge, request.attestation);
  const newAccountId = expected.accountId;
  const tokens = await x.db.transaction(async (tx) => {
    const now = await x.clock.now(tx);
    const account =
      expected.sessionId === null
        ? await createAccount(tx, newAccountId, email, now)
        : await lockOwnAccount(tx, x, newAccountId, expected.sessionId, caller, deadToken);
    const [count] = await tx
      .select({ before: sql<number>`count(*)::int` })
      .from(passkeys)
      .where(eq(passkeys.accountId, account.id));
    const before = count?.before ?? 0;
    const passkey = await addPasskey(tx, account.id, info, before, now);
    if (before > 0) await tellOwner(tx, x, account, passkey.name, caller, now);
    const session = { accountId: account.id, method: "passkey", passkeyAt: now, passkeyId: passkey.id } as const;
    return openSession(tx, x, { ...session, userAgent }, now);
  });
  kickOutbox(x);
  return tokens;
}

async function verify(
  x: ExchangeContext,
  expectedChallenge: string,
  response: RegistrationResponseJSON,
): Promise<NonNullable<VerifiedRegistrationResponse["registrationInfo"]>> {
  try {
    const result = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: x.config.origin,
      expectedRPID: x.config.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!result.verified || !result.registrationInfo) throw new Error("the attestation does not fit");
    return result.registrationInfo;
  } catch (cause) {
    throw new ExchangeError("passkey_invalid", { cause });
  }
}

/** The account that C09 spoke of. Somebody else may have made one for the address meanwhile. */
async function createAccount(tx: Database, id: string, email: string, now: Date): Promise<AccountRow> {
  const [account] = await tx.insert(accounts).values({ id, email, createdAt: now }).onConflictDoNothing().returning();
  if (!account) throw new ExchangeError("challenge_invalid");
  return account;
}

/** The account whose session began; that very session must still be alive and be the one that asks now. */
async function lockOwnAccount(
  tx: Database,
  x: ExchangeContext,
  accountId: string,
  sessionId: string,
  caller: Caller | null,
  deadToken: boolean,
): Promise<AccountRow> {
  const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  if (!account) throw new ExchangeError("challenge_invalid");
  await requireOwner({ ...x, db: tx }, account, caller, deadToken);
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)));
  if (!session || caller?.sessionId !== sessionId) throw new ExchangeError("challenge_invalid");
  return account;
}

async function addPasskey(
  tx: Database,
  accountId: string,
  info: NonNullable<VerifiedRegistrationResponse["registrationInfo"]>,
  before: number,
  now: Date,
): Promise<{ id: string; name: string }> {
  const { credential } = info;
  const name = before === 0 ? "Passkey" : `Passkey ${before + 1}`;
  const [passkey] = await tx
    .insert(passkeys)
    .values({
      id: newId(),
      accountId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: (credential.transports ?? []).slice(0, 10).map((transport) => String(transport).slice(0, 20)),
      backedUp: info.credentialBackedUp,
      name,
      createdAt: now,
      lastUsedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  if (!passkey) throw new ExchangeError("conflict", { message: "This passkey is registered already." });
  return { id: passkey.id, name };
}

/** A further passkey is told by mail (T27); nothing is mailed to an address that nobody proved. */
async function tellOwner(
  tx: Database,
  x: ExchangeContext,
  account: AccountRow,
  passkeyName: string,
  caller: Caller | null,
  now: Date,
): Promise<void> {
  if (account.emailVerifiedAt === null) return;
  if (caller?.method !== "email") {
    await queueMail(tx, x, passkeyAddedMail(account.email, passkeyName, now), now);
    return;
  }
  const holdUntil = new Date(now.getTime() + x.config.recoveryHoldMs);
  const until = account.payoutsWaitUntil && account.payoutsWaitUntil > holdUntil ? account.payoutsWaitUntil : holdUntil;
  await revokeSessionsOf(tx, account.id, now);
  await tx.update(accounts).set({ payoutsWaitUntil: until }).where(eq(accounts.id, account.id));
  await queueMail(tx, x, recoveryMail(account.email, now, until), now);
}
