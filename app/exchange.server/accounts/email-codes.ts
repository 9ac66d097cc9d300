import { randomInt, scrypt } from "node:crypto";
import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import type { Challenge } from "../../api/contract";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import type { Caller } from "../http/env";
import { toNetwork } from "../http/rate-limits";
import { newId } from "../ids";
import { codeMail } from "../mail/messages";
import { kickOutbox, queueMail } from "../mail/outbox";
import { authenticate, deriveKey, equals } from "../secrets";
import { parseEmail } from "./email";
import { giveBack, takeFromLimit } from "./limits";
import { emailChallenges } from "./tables";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** T23: however many codes are asked for, an address can be guessed at so often. */
const failureWindows = [
  { max: 10, ms: hourMs },
  { max: 20, ms: dayMs },
];

/**
 * C04. Mails a code of six digits and answers with the challenge that it belongs to. Answer
 * and work are the same for known and unknown addresses, and when a limit is reached, only
 * that then nothing is mailed (T25, T26). A new code voids the one before of the same kind.
 */
export async function requestEmailCode(
  x: ExchangeContext,
  identifier: string,
  caller: Caller | null,
  remoteAddress: string | undefined,
): Promise<Challenge> {
  const email = parseEmail(identifier);
  const provesFor = provingAccount(caller, email);
  const id = newId();
  const code = String(randomInt(0, 1_000_000)).padStart(6, "0");
  const codeHash = await hashCode(x, id, code);
  await x.db.transaction(async (tx) => {
    const now = await x.clock.now(tx);
    const mayMail = await takeMail(tx, x, email, remoteAddress, now);
    if (mayMail) {
      const same = provesFor === null ? isNull(emailChallenges.accountId) : eq(emailChallenges.accountId, provesFor);
      await tx.delete(emailChallenges).where(and(eq(emailChallenges.email, email), same));
      await queueMail(tx, x, codeMail(email, code, Math.ceil(x.config.codeTtlMs / minuteMs)), now, x.config.codeTtlMs);
    }
    await tx.insert(emailChallenges).values({
      id,
      email,
      accountId: provesFor,
      codeHash: mayMail ? codeHash : null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + x.config.codeTtlMs),
    });
  });
  kickOutbox(x);
  return { challenge_id: id, challenge: "email" };
}

async function takeMail(
  tx: Database,
  x: ExchangeContext,
  email: string,
  remoteAddress: string | undefined,
  now: Date,
): Promise<boolean> {
  const { limits } = x.config;
  if (remoteAddress !== undefined) {
    const windows = [{ max: limits.codesPerSenderPerHour, ms: hourMs }];
    if (!(await takeFromLimit(tx, `codes-by:${toNetwork(remoteAddress)}`, windows, now))) return false;
  }
  const windows = [
    { max: limits.codesPerRecipientPer10Minutes, ms: 10 * minuteMs },
    { max: limits.codesPerRecipientPerDay, ms: dayMs },
  ];
  return (await takeFromLimit(tx, `codes-to:${email}`, windows, now)) !== null;
}

/** The account whose own passkey token is asking; a token of another account counts as none (decisions.md). */
export function provingAccount(caller: Caller | null, email: string): string | null {
  return caller && caller.method === "passkey" && caller.email === email && !caller.isBlocked ? caller.accountId : null;
}

/** A right code, used up: whose address it proves, and for which account its proof was asked. */
type ProvenEmail = { email: string; askedBy: string | null };

/**
 * C05, first half: tries a code and uses it up, then does `then` in the same transaction.
 * A try is counted before the code is looked at, by one statement that also is the check,
 * so that parallel guesses cannot share one try (T24). Every way of being wrong is the
 * same answer. @throws code_wrong
 */
export async function redeemEmailCode<T>(
  x: ExchangeContext,
  challengeId: string,
  code: string,
  then: (tx: Database, proven: ProvenEmail, now: Date) => Promise<T>,
): Promise<T> {
  const outcome = await x.db.transaction(async (tx) => {
    const now = await x.clock.now(tx);
    const [challenge] = await tx
      .update(emailChallenges)
      .set({ tries: sql`${emailChallenges.tries} + 1` })
      .where(
        and(
          eq(emailChallenges.id, challengeId),
          lt(emailChallenges.tries, x.config.codeTries),
          gt(emailChallenges.expiresAt, now),
        ),
      )
      .returning();
    if (!challenge) return null;
    const failure = await takeFromLimit(tx, `wrong-codes:${challenge.email}`, failureWindows, now);
    if (failure === null) return null;
    const hash = Buffer.from(await hashCode(x, challengeId, code), "base64url");
    const right = equals(hash, Buffer.from(challenge.codeHash ?? "", "base64url"));
    if (!right) return null;
    await giveBack(tx, failure);
    const [used] = await tx.delete(emailChallenges).where(eq(emailChallenges.id, challengeId)).returning();
    if (!used) return null;
    return { value: await then(tx, { email: used.email, askedBy: used.accountId }, now) };
  });
  if (!outcome) throw new ExchangeError("code_wrong");
  return outcome.value;
}

/** Keyed, so that the database alone is no use, and slow, so that key and database together are little. */
async function hashCode(x: ExchangeContext, challengeId: string, code: string): Promise<string> {
  const password = authenticate(deriveKey(x.config.secret, "email-code"), challengeId, code);
  const hash = await new Promise<Buffer>((resolve, reject) => {
    scrypt(password, challengeId, 32, { N: 2 ** 12, r: 8, p: 1 }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
  return hash.toString("base64url");
}

/** Removes codes whose time is over. */
export async function forgetEmailChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(emailChallenges).where(lt(emailChallenges.expiresAt, now));
}
