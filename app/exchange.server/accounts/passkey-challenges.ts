import { randomBytes } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import { addMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { passkeyChallenges } from "../db/schema/accounts";
import { ExchangeError } from "../errors";
import { newId } from "../ids";

type ChallengeRow = typeof passkeyChallenges.$inferSelect;

/** What a challenge is valid for; see the table. */
type ChallengeBinding = Pick<ChallengeRow, "purpose" | "email" | "accountId" | "sessionId">;

/** Creates a challenge of 256 random bits. It is valid for one response within `challengeTtlMs`. */
export async function createChallenge(
  ctx: ExchangeContext,
  binding: ChallengeBinding,
): Promise<{ id: string; challenge: Uint8Array<ArrayBuffer> }> {
  const id = newId();
  const challenge = new Uint8Array(randomBytes(32));
  const now = await ctx.clock.now(ctx.db);
  await ctx.db.insert(passkeyChallenges).values({
    ...binding,
    id,
    challenge: Buffer.from(challenge).toString("base64url"),
    expiresAt: addMs(now, ctx.config.challengeTtlMs),
  });
  return { id, challenge };
}

/**
 * Deletes a challenge before its response is checked, so that it can be used only once, whatever
 * the outcome (T28). @throws challenge_invalid
 */
export async function consumeChallenge(
  ctx: ExchangeContext,
  id: string,
  purpose: ChallengeBinding["purpose"],
): Promise<ChallengeRow> {
  const [challenge] = await ctx.db
    .delete(passkeyChallenges)
    .where(and(eq(passkeyChallenges.id, id), eq(passkeyChallenges.purpose, purpose)))
    .returning();
  const now = await ctx.clock.now(ctx.db);
  if (!challenge || challenge.expiresAt <= now) throw new ExchangeError("challenge_invalid");
  return challenge;
}

/** Deletes expired challenges. */
export async function purgePasskeyChallenges(db: Database, now: Date): Promise<void> {
  await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expiresAt, now));
}
