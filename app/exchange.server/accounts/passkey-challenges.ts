import { randomBytes } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import { passkeyChallenges } from "./tables";

type ChallengeRow = typeof passkeyChallenges.$inferSelect;

/** What a challenge is bound to; see the table. */
type ChallengeBinding = Pick<ChallengeRow, "purpose" | "email" | "accountId" | "sessionId">;

/** 256 random bits, kept until answered once or until `challengeTtlMs` is over. */
export async function makeChallenge(
  x: ExchangeContext,
  binding: ChallengeBinding,
): Promise<{ id: string; challenge: Uint8Array<ArrayBuffer> }> {
  const id = newId();
  const challenge = new Uint8Array(randomBytes(32));
  const now = await x.clock.now(x.db);
  await x.db.insert(passkeyChallenges).values({
    ...binding,
    id,
    challenge: Buffer.from(challenge).toString("base64url"),
    expiresAt: new Date(now.getTime() + x.config.challengeTtlMs),
  });
  return { id, challenge };
}

/**
 * Takes a challenge out of the world before anything that answers it is looked at: whatever
 * comes of that, nobody answers it again (T28). @throws challenge_invalid
 */
export async function burnChallenge(
  x: ExchangeContext,
  id: string,
  purpose: ChallengeBinding["purpose"],
): Promise<ChallengeRow> {
  const [challenge] = await x.db
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.id, id), eq(passkeyChallenges.purpose, purpose)))
    .returning();
  const now = await x.clock.now(x.db);
  if (!challenge || challenge.expiresAt <= now) throw new ExchangeError("challenge_invalid");
  return challenge;
}

/** Removes challenges that nobody answered in time. */
export async function forgetPasskeyChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, now));
}
