import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  type VerifiedRegistrationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { eq, sql } from "drizzle-orm";
import type { PasskeyOptions, Tokens } from "../../api/contract";
import { addMs, laterOf } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { type AccountRow, accounts, passkeys } from "../db/schema/accounts";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import { passkeyAddedMail, recoveryMail } from "../mail/messages/account";
import type { Caller } from "./caller";
import { parseEmail } from "./email";
import { revokeAccountSessions } from "./end-sessions";
import { requireFreshPasskey } from "./fresh-passkey";
import { consumeChallenge, createChallenge } from "./passkey-challenges";
import {
  checkCredentialId,
  checkPublicKey,
  checkSameOrigin,
  dropAttestation,
  passkeyAlgorithms,
} from "./passkey-checks";
import { getPause, pauseDoubtfulPasskeys } from "./passkey-pause";
import { requireOpenSession } from "./require-open-session";
import { limitNotifiedAction, queueSecurityNotice } from "./security-notices";
import { signIn } from "./sign-in";

const maxPasskeys = 20;
/** The format of WebAuthn's transport names, such as `usb` or `smart-card`. Other values are not stored. */
const transportName = /^[a-z-]{1,20}$/;

type RegistrationInfo = NonNullable<VerifiedRegistrationResponse["registrationInfo"]>;

/** Who registers: the caller, if the token is valid, and whether an invalid token was sent. */
type Registrant = { caller: Caller | null; hasInvalidToken: boolean };

/**
 * C09. Anyone may start a registration for an unknown identifier: no account is created and no
 * e-mail is sent before C10. An existing account requires a token of that account.
 * @throws token_missing, token_expired, passkey_too_old, conflict
 */
export async function startRegistration(
  ctx: ExchangeContext,
  identifier: string,
  registrant: Registrant,
): Promise<PasskeyOptions> {
  const { caller } = registrant;
  const email = parseEmail(identifier);
  const [account] = await ctx.db.select().from(accounts).where(eq(accounts.email, email));
  if (account) await requireOwner(ctx, account, registrant);
  const existing = account ? await ctx.db.select().from(passkeys).where(eq(passkeys.accountId, account.id)) : [];
  requireRoom(existing.length, caller);
  const accountId = account?.id ?? newId();
  const sessionId = account && caller ? caller.sessionId : null;
  const now = await ctx.clock.now(ctx.db);
  // A device with an excluded passkey cannot add another one. If its passkey is paused, the owner could not use the
  // device.
  const excluded = existing.filter((row) => getPause(row, now) === null);
  const { id, challenge } = await createChallenge(ctx, { purpose: "register", email, accountId, sessionId });
  const options = await generateRegistrationOptions({
    rpName: "Antelope",
    rpID: ctx.config.rpId,
    userName: email,
    userDisplayName: email,
    userID: new TextEncoder().encode(accountId),
    challenge,
    timeout: ctx.config.challengeTtlMs,
    attestationType: "none",
    excludeCredentials: excluded.map((row) => ({ id: row.credentialId, transports: row.transports })),
    authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
    supportedAlgorithmIDs: passkeyAlgorithms,
  });
  return { challenge_id: id, options: { ...options } };
}

/**
 * A recovery may exceed the limit. Otherwise, a thief with a stolen session could use it up, and an owner who has no
 * passkey left could neither add nor remove any (T31). Each recovery takes an e-mail code. @throws conflict
 */
function requireRoom(count: number, caller: Caller | null): void {
  if (count < maxPasskeys || caller?.method === "email") return;
  throw new ExchangeError("conflict", { message: `You can have up to ${maxPasskeys} passkeys. Remove one first.` });
}

/** A passkey session must be fresh (T32). An e-mail session is allowed, for account recovery. */
async function requireOwner(
  ctx: ExchangeContext,
  account: AccountRow,
  { caller, hasInvalidToken }: Registrant,
): Promise<Caller> {
  if (caller?.accountId !== account.id) throw new ExchangeError(hasInvalidToken ? "token_expired" : "token_missing");
  if (caller.isBlocked) throw new ExchangeError("user_blocked");
  if (caller.method === "passkey") requireFreshPasskey(ctx, caller, await ctx.clock.now(ctx.db));
  return caller;
}

/**
 * C10. Adds the passkey to the account whose session started the registration, or creates an account with an unverified
 * address. Adding a passkey with an e-mail session to an account that has one, or has applied for verification with
 * one, is a recovery: it ends all other sessions, pauses doubtful passkeys, notifies the owner and delays payouts.
 * @throws challenge_invalid, passkey_invalid, token_missing, token_expired, passkey_too_old, conflict, rate_limited
 */
export async function finishRegistration(
  ctx: ExchangeContext,
  request: Registrant & {
    identifier: string;
    challengeId: string;
    attestation: RegistrationResponseJSON;
    userAgent: string | null;
    remoteAddress: string | undefined;
  },
): Promise<Tokens> {
  const { caller, userAgent, remoteAddress } = request;
  const email = parseEmail(request.identifier);
  const expected = await consumeChallenge(ctx, request.challengeId, "register");
  if (expected.email !== email || expected.accountId === null) throw new ExchangeError("challenge_invalid");
  const info = await verify(ctx, expected.challenge, request.attestation);
  const accountId = expected.accountId;
  return ctx.db.transaction(async (tx) => {
    const now = await ctx.clock.now(tx);
    const account =
      expected.sessionId === null
        ? await createAccount(tx, accountId, email, now)
        : await lockOwnAccount(tx, ctx, {
            accountId,
            sessionId: expected.sessionId,
            registrant: request,
          });
    const [count] = await tx
      .select({ before: sql<number>`count(*)::int` })
      .from(passkeys)
      .where(eq(passkeys.accountId, account.id));
    const before = count?.before ?? 0;
    requireRoom(before, caller);
    const name = before === 0 ? "Passkey" : `Passkey ${before + 1}`;
    const addedByPasskey = expected.sessionId !== null && caller?.method === "passkey";
    const passkey = await addPasskey(tx, { accountId: account.id, info, name, addedByPasskey, now });
    // Verifying an identity requires a passkey, so the account had one, even if it has been removed since.
    if (before > 0 || account.kycStatus !== "not_started") {
      const isRecovery = caller?.method === "email";
      if (isRecovery) await secureRecoveredAccount(tx, ctx, account, now);
      else {
        await limitNotifiedAction(tx, "added-passkeys", account.id, now);
        await queueSecurityNotice(tx, ctx, account, { mail: passkeyAddedMail(account.email, name, now), now });
      }
    }
    const replaces = expected.sessionId ?? undefined;
    const session = { method: "passkey", passkeyAt: now, passkeyId: passkey.id, replaces } as const;
    const isVerified = account.emailVerifiedAt !== null;
    return signIn(tx, ctx, { account, isVerified, ...session, userAgent, remoteAddress }, now);
  });
}

async function verify(
  ctx: ExchangeContext,
  expectedChallenge: string,
  response: RegistrationResponseJSON,
): Promise<RegistrationInfo> {
  try {
    const attestationObject = dropAttestation(response.response.attestationObject);
    const result = await verifyRegistrationResponse({
      response: { ...response, response: { ...response.response, attestationObject } },
      expectedChallenge,
      expectedOrigin: ctx.config.origin,
      expectedRPID: ctx.config.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: passkeyAlgorithms,
    });
    if (!result.verified || !result.registrationInfo) throw new Error("the attestation is not valid");
    const { credential } = result.registrationInfo;
    if (credential.id !== response.id) throw new Error("the response and its attestation name different credentials");
    checkSameOrigin(response.response.clientDataJSON);
    checkCredentialId(credential.id);
    checkPublicKey(credential.publicKey);
    return result.registrationInfo;
  } catch (cause) {
    throw new ExchangeError("passkey_invalid", { cause });
  }
}

/** Creates the account. Fails if another one was created for the address since C09. */
async function createAccount(tx: Database, id: string, email: string, now: Date): Promise<AccountRow> {
  const [account] = await tx.insert(accounts).values({ id, email, createdAt: now }).onConflictDoNothing().returning();
  if (!account) throw new ExchangeError("challenge_invalid");
  return account;
}

/**
 * Locks the account, and keeps the session open. The registration must have been started in this session. Both may have
 * changed since the request began.
 */
async function lockOwnAccount(
  tx: Database,
  ctx: ExchangeContext,
  { accountId, sessionId, registrant }: { accountId: string; sessionId: string; registrant: Registrant },
): Promise<AccountRow> {
  const [account] = await tx.select().from(accounts).where(eq(accounts.id, accountId)).for("no key update");
  if (!account) throw new ExchangeError("challenge_invalid");
  const caller = await requireOwner({ ...ctx, db: tx }, account, registrant);
  if (account.blockedAt) throw new ExchangeError("user_blocked");
  if (caller.sessionId !== sessionId) throw new ExchangeError("challenge_invalid");
  await requireOpenSession(tx, caller);
  return account;
}

async function addPasskey(
  tx: Database,
  {
    accountId,
    info,
    name,
    addedByPasskey,
    now,
  }: { accountId: string; info: RegistrationInfo; name: string; addedByPasskey: boolean; now: Date },
): Promise<{ id: string }> {
  const { credential } = info;
  const [passkey] = await tx
    .insert(passkeys)
    .values({
      id: newId(),
      accountId,
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      transports: (credential.transports ?? []).filter((name) => transportName.test(name)).slice(0, 10),
      backedUp: info.credentialBackedUp,
      name,
      addedByPasskey,
      createdAt: now,
      lastUsedAt: now,
    })
    .onConflictDoNothing()
    .returning({ id: passkeys.id });
  if (!passkey) throw new ExchangeError("conflict", { message: "This passkey is already registered." });
  return passkey;
}

/**
 * T31: ends all sessions, pauses doubtful passkeys, delays payouts, and tells the owner, so that they can stop an
 * attacker in time.
 */
async function secureRecoveredAccount(
  tx: Database,
  ctx: ExchangeContext,
  account: AccountRow,
  now: Date,
): Promise<void> {
  if (account.emailVerifiedAt === null) return;
  const until = laterOf(account.payoutsWaitUntil, addMs(now, ctx.config.recoveryHoldMs));
  await revokeAccountSessions(tx, account.id, now);
  await tx.update(accounts).set({ payoutsWaitUntil: until }).where(eq(accounts.id, account.id));
  const paused = await pauseDoubtfulPasskeys(tx, account.id, { now, until });
  await queueSecurityNotice(tx, ctx, account, { mail: recoveryMail(account.email, now, { until, paused }), now });
}
