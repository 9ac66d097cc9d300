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
import { ExchangeError } from "../errors";
import { isStrictEcdsaSignature } from "./ecdsa-signature";
import { parseEmail } from "./email";
import { burnChallenge, makeChallenge } from "./passkey-challenges";
import { openSession } from "./sessions";
import { accounts, passkeys } from "./tables";

type PasskeyRow = typeof passkeys.$inferSelect;

/** C06, first step: any passkey of this site may answer; which one, the authenticator says. */
export async function startPasskeySignIn(x: ExchangeContext): Promise<Challenge> {
  const binding = { purpose: "sign-in", email: null, accountId: null, sessionId: null } as const;
  const { id, challenge } = await makeChallenge(x, binding);
  const options = await generateAuthenticationOptions({
    rpID: x.config.rpId,
    challenge,
    timeout: x.config.challengeTtlMs,
    userVerification: "required",
  });
  return { challenge_id: id, challenge: { ...options } };
}

/** C08: only this account's passkeys may answer. @throws passkeys_none (E11) */
export async function startPasskeySignInFor(x: ExchangeContext, identifier: string): Promise<PasskeyOptions> {
  const email = parseEmail(identifier);
  const rows = await x.db
    .select({ passkey: passkeys })
    .from(passkeys)
    .innerJoin(accounts, eq(accounts.id, passkeys.accountId))
    .where(eq(accounts.email, email))
    .orderBy(passkeys.createdAt);
  const [first] = rows;
  if (!first) throw new ExchangeError("passkeys_none");
  const binding = { purpose: "sign-in", email, accountId: first.passkey.accountId, sessionId: null } as const;
  const { id, challenge } = await makeChallenge(x, binding);
  const options = await generateAuthenticationOptions({
    rpID: x.config.rpId,
    challenge,
    timeout: x.config.challengeTtlMs,
    userVerification: "required",
    allowCredentials: rows.map(({ passkey }) => ({ id: passkey.credentialId, transports: passkey.transports })),
  });
  return { challenge_id: id, options: { ...options } };
}

/**
 * C06, second step, also for C08. The challenge is burnt first; then the credential must be
 * known, belong to whom the challenge was made for, and be verified with the user present
 * and verified, on our origin. @throws challenge_invalid, passkey_invalid, user_blocked
 */
export async function finishPasskeySignIn(
  x: ExchangeContext,
  challengeId: string,
  response: AuthenticationResponseJSON,
  userAgent: string | null,
): Promise<Tokens> {
  const expected = await burnChallenge(x, challengeId, "sign-in");
  const [passkey] = await x.db.select().from(passkeys).where(eq(passkeys.credentialId, response.id));
  if (!passkey) throw new ExchangeError("passkey_invalid");
  if (expected.accountId !== null && expected.accountId !== passkey.accountId) {
    throw new ExchangeError("passkey_invalid");
  }
  const info = await verify(x, expected.challenge, response, passkey);
  return x.db.transaction(async (tx) => {
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, passkey.accountId)).for("no key update");
    if (!account) throw new ExchangeError("passkey_invalid");
    if (account.blockedAt) throw new ExchangeError("user_blocked");
    const now = await x.clock.now(tx);
    // Compare and set: two answers that carry the same counter are one authenticator and its copy.
    const [updated] = await tx
      .update(passkeys)
      .set({ counter: info.newCounter, backedUp: info.credentialBackedUp, lastUsedAt: now })
      .where(and(eq(passkeys.id, passkey.id), eq(passkeys.counter, passkey.counter)))
      .returning({ id: passkeys.id });
    if (!updated) throw new ExchangeError("passkey_invalid");
    const session = { accountId: account.id, method: "passkey", passkeyAt: now, passkeyId: passkey.id } as const;
    return openSession(tx, x, { ...session, userAgent }, now);
  });
}

async function verify(
  x: ExchangeContext,
  expectedChallenge: string,
  response: AuthenticationResponseJSON,
  passkey: PasskeyRow,
): Promise<VerifiedAuthenticationResponse["authenticationInfo"]> {
  try {
    const userHandle = response.response.userHandle;
    if (userHandle && Buffer.from(userHandle, "base64url").toString() !== passkey.accountId) {
      throw new Error("the user handle names another account");
    }
    const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, "base64url"));
    const isEcdsa = decodeCredentialPublicKey(publicKey).get(cose.COSEKEYS.kty) === cose.COSEKTY.EC2;
    if (isEcdsa && !isStrictEcdsaSignature(Buffer.from(response.response.signature, "base64url"))) {
      throw new Error("the signature is not written as one");
    }
    const result = await verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: x.config.origin,
      expectedRPID: x.config.rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey,
        counter: passkey.counter,
        transports: passkey.transports,
      },
    });
    if (!result.verified) throw new Error("the signature does not fit");
    return result.authenticationInfo;
  } catch (cause) {
    // A counter that went back means a copied authenticator; the library's words say so, and the log keeps them.
    const reason = cause instanceof Error ? cause.message.slice(0, 200) : "unknown";
    x.log.warn({ passkeyId: passkey.id, reason }, "a passkey sign-in was refused");
    throw new ExchangeError("passkey_invalid", { cause });
  }
}
