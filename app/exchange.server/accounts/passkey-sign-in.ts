import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  type VerifiedAuthenticationResponse,
  verifyAuthenticationResponse,
} from "@simplewebauthn/server";
import { cose, decodeCredentialPublicKey } from "@simplewebauthn/server/helpers";
import { and, eq } from "drizzle-orm";
import type { Challenge, PasskeyOptions, Tokens } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { accounts, type PasskeyRow, passkeys } from "../db/schema/accounts";
import { ExchangeError } from "../errors";
import type { Caller } from "./caller";
import { isStrictEcdsaSignature } from "./ecdsa-signature";
import { parseEmail } from "./email";
import { consumeChallenge, createChallenge } from "./passkey-challenges";
import { checkPublicKey, checkSameOrigin } from "./passkey-checks";
import { requireNoPause } from "./passkey-pause";
import { signIn } from "./sign-in";

/** C06, first step: any passkey of this site may respond; the authenticator picks one. */
export async function startPasskeySignIn(ctx: ExchangeContext): Promise<Challenge> {
  const binding = { purpose: "sign-in", email: null, accountId: null, sessionId: null } as const;
  const { id, challenge } = await createChallenge(ctx, binding);
  const options = await generateAuthenticationOptions({
    rpID: ctx.config.rpId,
    challenge,
    timeout: ctx.config.challengeTtlMs,
    userVerification: "required",
  });
  return { challenge_id: id, challenge: { ...options } };
}

/** C08: only this account's passkeys may respond. @throws passkeys_none (E11) */
export async function startPasskeySignInFor(ctx: ExchangeContext, identifier: string): Promise<PasskeyOptions> {
  const email = parseEmail(identifier);
  const rows = await ctx.db
    .select({ passkey: passkeys })
    .from(passkeys)
    .innerJoin(accounts, eq(accounts.id, passkeys.accountId))
    .where(eq(accounts.email, email))
    .orderBy(passkeys.createdAt);
  const [first] = rows;
  if (!first) throw new ExchangeError("passkeys_none");
  const binding = { purpose: "sign-in", email, accountId: first.passkey.accountId, sessionId: null } as const;
  const { id, challenge } = await createChallenge(ctx, binding);
  const options = await generateAuthenticationOptions({
    rpID: ctx.config.rpId,
    challenge,
    timeout: ctx.config.challengeTtlMs,
    userVerification: "required",
    allowCredentials: rows.map(({ passkey }) => ({ id: passkey.credentialId, transports: passkey.transports })),
  });
  return { challenge_id: id, options: { ...options } };
}

/**
 * The second step of C06 and C08. Consumes the challenge first. Then the credential must be known,
 * belong to the account the challenge was created for, and be verified for our origin, with the
 * user present and verified. @throws challenge_invalid, passkey_invalid, user_blocked, passkey_paused
 */
export async function finishPasskeySignIn(
  ctx: ExchangeContext,
  request: {
    challengeId: string;
    response: AuthenticationResponseJSON;
    caller: Caller | null;
    userAgent: string | null;
    remoteAddress: string | undefined;
  },
): Promise<Tokens> {
  const { challengeId, response, caller, userAgent, remoteAddress } = request;
  const expected = await consumeChallenge(ctx, challengeId, "sign-in");
  const [passkey] = await ctx.db.select().from(passkeys).where(eq(passkeys.credentialId, response.id));
  if (!passkey) throw new ExchangeError("passkey_invalid");
  if (expected.accountId !== null && expected.accountId !== passkey.accountId) {
    throw new ExchangeError("passkey_invalid");
  }
  const info = await verify(ctx, expected.challenge, response, passkey);
  return ctx.db.transaction(async (tx) => {
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, passkey.accountId)).for("no key update");
    if (!account) throw new ExchangeError("passkey_invalid");
    if (account.blockedAt) throw new ExchangeError("user_blocked");
    const now = await ctx.clock.now(tx);
    // Compare and set: two responses with the same counter come from an authenticator and its copy.
    const [updated] = await tx
      .update(passkeys)
      .set({ counter: info.newCounter, backedUp: info.credentialBackedUp, lastUsedAt: now })
      .where(and(eq(passkeys.id, passkey.id), eq(passkeys.counter, passkey.counter)))
      .returning({ pausedUntil: passkeys.pausedUntil });
    if (!updated) throw new ExchangeError("passkey_invalid");
    requireNoPause(updated, now);
    const replaces = caller?.accountId === account.id ? caller.sessionId : undefined;
    const session = { method: "passkey", passkeyAt: now, passkeyId: passkey.id, replaces } as const;
    const isVerified = account.emailVerifiedAt !== null;
    return signIn(tx, ctx, { account, isVerified, ...session, userAgent, remoteAddress }, now);
  });
}

async function verify(
  ctx: ExchangeContext,
  expectedChallenge: string,
  response: AuthenticationResponseJSON,
  passkey: PasskeyRow,
): Promise<VerifiedAuthenticationResponse["authenticationInfo"]> {
  try {
    const userHandle = response.response.userHandle;
    if (userHandle && Buffer.from(userHandle, "base64url").toString() !== passkey.accountId) {
      throw new Error("the user handle belongs to another account");
    }
    checkSameOrigin(response.response.clientDataJSON);
    const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, "base64url"));
    // Checked again, because it may have been stored before registration checked this.
    checkPublicKey(publicKey);
    const isEcdsa = decodeCredentialPublicKey(publicKey).get(cose.COSEKEYS.kty) === cose.COSEKTY.EC2;
    if (isEcdsa && !isStrictEcdsaSignature(Buffer.from(response.response.signature, "base64url"))) {
      throw new Error("the signature is not strict DER");
    }
    const result = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: ctx.config.origin,
      expectedRPID: ctx.config.rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey,
        counter: passkey.counter,
        transports: passkey.transports,
      },
    });
    if (!result.verified) throw new Error("the signature is not valid");
    return result.authenticationInfo;
  } catch (cause) {
    // Logs the library's reason: a counter that went back, for example, means a copied authenticator.
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : "unknown";
    ctx.log.warn({ passkeyId: passkey.id, reason }, "refused a passkey sign-in");
    throw new ExchangeError("passkey_invalid", { cause });
  }
}
