import { randomInt, scrypt } from "node:crypto";
import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Challenge } from "../../api/contract";
import { toClientNetwork } from "../../lib/client-network";
import { addMs, minuteMs } from "../../lib/durations";
import { createFairQueue } from "../../lib/fair-queue";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { emailChallenges } from "../db/schema/accounts";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import { allowEvent, consumeEventLimits, removeLimitEvents } from "../limits/event-limits";
import { codeMail } from "../mail/messages/account";
import { queueMail } from "../mail/queue-mail";
import { authenticate, deriveKey, equals } from "../secrets";
import type { Caller } from "./caller";
import { consumeCodeBudget, isNetworkLimited, isOwnersBudget, listWrongCodeLimits, toRetryLimit } from "./code-budgets";
import { parseEmail } from "./email";

/**
 * C04. Sends a six-digit code by e-mail and returns its challenge. The response and the work are the same for known and
 * unknown addresses. Both also stay the same if a rate limit is exceeded, but no e-mail is sent then (T25, T26). Codes
 * requested earlier stay valid, because they may be someone else's. But if the e-mail with an earlier code for the same
 * network is still queued, it is dropped. @throws rate_limited
 */
export async function requestEmailCode(
  ctx: ExchangeContext,
  request: {
    identifier: string;
    deviceToken?: string;
    caller: Caller | null;
    remoteAddress: string | undefined;
  },
): Promise<Challenge> {
  const { caller, deviceToken, remoteAddress } = request;
  const email = parseEmail(request.identifier);
  const accountId = getVerifyingAccount(caller, email);
  const id = newId();
  const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
  const codeHash = await hashCode(ctx, { challengeId: id, code, remoteAddress });
  await ctx.db.transaction(async (tx) => {
    const now = await ctx.clock.now(tx);
    const account = accountId === null ? null : caller;
    const budget = await consumeCodeBudget(tx, ctx, { email, account, deviceToken, remoteAddress, now });
    if (budget !== null) {
      const minutes = Math.ceil(ctx.config.codeTtlMs / minuteMs);
      const mail = codeMail(email, code, { minutes, host: new URL(ctx.config.origin).host });
      const sender = remoteAddress === undefined ? email : toClientNetwork(remoteAddress);
      await queueMail(tx, ctx, mail, {
        now,
        // A code is not sent in the last of its ten minutes, because it would expire before it is entered.
        ttlMs: 0.9 * ctx.config.codeTtlMs,
        sender,
        // Otherwise, the older code could arrive last and look like the newer one.
        topic: `code:${budget}:${sender}`,
        isUrgent: isOwnersBudget(budget),
      });
    }
    await tx.insert(emailChallenges).values({
      id,
      email,
      accountId,
      budget,
      codeHash: budget === null ? null : codeHash,
      createdAt: now,
      expiresAt: addMs(now, ctx.config.codeTtlMs),
    });
  });
  return { challenge_id: id, challenge: "email" };
}

/** Returns the account if the caller has its passkey token. A token of another account is ignored. */
export function getVerifyingAccount(caller: Caller | null, email: string): string | null {
  return caller && caller.method === "passkey" && caller.email === email && !caller.isBlocked ? caller.accountId : null;
}

/** A code, the challenge that it is for, and where it comes from. */
type EnteredCode = { challengeId: string; code: string; remoteAddress: string | undefined };

/** The address of a redeemed code, and the account whose passkey session requested it. */
export type VerifiedEmail = { email: string; requestedBy: string | null };

/**
 * C05, first half: checks a code, consumes it, and calls `onVerified` in the same transaction.
 * One statement both counts the attempt and checks their number, before the code is compared, so
 * parallel guesses cannot share an attempt (T24). Every failure on a network gives the same error and takes the same
 * time, because the code is always hashed. The hash is computed before the transaction, so that it does not hold a
 * connection while it runs.
 * @throws code_wrong, rate_limited
 */
export async function redeemEmailCode<T>(
  ctx: ExchangeContext,
  entered: EnteredCode,
  onVerified: (tx: Database, verified: VerifiedEmail, now: Date) => Promise<T>,
): Promise<T> {
  const { challengeId, remoteAddress } = entered;
  const hash = Buffer.from(await hashCode(ctx, entered), "base64url");
  const outcome = await ctx.db.transaction(async (tx) => {
    const now = await ctx.clock.now(tx);
    const [challenge] = await tx
      .update(emailChallenges)
      .set({ tries: sql`${emailChallenges.tries} + 1` })
      .where(
        and(
          eq(emailChallenges.id, challengeId),
          lt(emailChallenges.tries, ctx.config.codeTries),
          gt(emailChallenges.expiresAt, now),
        ),
      )
      .returning();
    if (!challenge) return null;
    const ofNetwork = listWrongCodeLimits(challenge.budget, remoteAddress);
    const limits = challenge.tries > 1 ? [toRetryLimit(challenge), ...ofNetwork] : ofNetwork;
    const events = limits.length > 0 ? await consumeEventLimits(tx, limits, now) : [];
    if (events === null) {
      // The visitor may enter the code again from another network, so this attempt does not count.
      if (!(await allowEvent(tx, ofNetwork, now))) await setTries(tx, challengeId, challenge.tries - 1);
      return null;
    }
    const isCorrect = equals(hash, Buffer.from(challenge.codeHash ?? "", "base64url"));
    if (!isCorrect) return null;
    if (events.length > 0) await removeLimitEvents(tx, events);
    const [used] = await tx.delete(emailChallenges).where(eq(emailChallenges.id, challengeId)).returning();
    if (!used) return null;
    return { value: await onVerified(tx, { email: used.email, requestedBy: used.accountId }, now) };
  });
  if (outcome) return outcome.value;
  // Depends only on the network, so it reveals neither whether the address has an account, nor who uses it from here.
  const isLimited = await isNetworkLimited(ctx.db, remoteAddress, await ctx.clock.now(ctx.db));
  throw new ExchangeError("code_wrong", isLimited ? { message: networkLimited } : {});
}

/** Shown on a network that has reached its limit of wrong codes, whether or not this code was checked. */
const networkLimited =
  "Too many wrong codes were entered on your network, so we may not have checked this one. Use a passkey, or switch to another network, such as Wi-Fi or mobile data, and enter the code again.";

async function setTries(tx: Database, challengeId: string, tries: number): Promise<void> {
  await tx.update(emailChallenges).set({ tries }).where(eq(emailChallenges.id, challengeId));
}

/**
 * Half of the threads that hash. They also compress pages and look up host names, which must not wait for hundreds of
 * codes of one network (T14).
 */
const inTurn = createFairQueue({
  max: 2,
  refuse: () => new ExchangeError("rate_limited", { retryAfterSeconds: 1 }),
});

/**
 * Keyed, so that a leaked database is useless without the secret, and slow, so that guessing takes a long time even
 * with it. Networks take turns. A call without an address comes from this process.
 * @throws rate_limited
 */
async function hashCode(ctx: ExchangeContext, { challengeId, code, remoteAddress }: EnteredCode): Promise<string> {
  const password = authenticate(deriveKey(ctx.config.secret, "email-code"), challengeId, code);
  const network = remoteAddress === undefined ? `challenge:${challengeId}` : toClientNetwork(remoteAddress);
  const hash = await inTurn(network, () => {
    return new Promise<Buffer>((resolve, reject) => {
      scrypt(password, challengeId, 32, { N: ctx.config.codeHashCost, r: 8, p: 1 }, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  });
  return hash.toString("base64url");
}

/** Deletes expired codes. */
export async function purgeEmailChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(emailChallenges).where(lt(emailChallenges.expiresAt, now));
}
