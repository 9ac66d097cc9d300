import { eq } from "drizzle-orm";
import type { Tokens } from "../../api/contract";
import type { ExchangeContext } from "../context";
import { accounts, sessions } from "../db/schema/accounts";
import { ExchangeError } from "../errors";
import { sessionEndedMail } from "../mail/messages/account";
import { revokeSessions } from "./end-sessions";
import { deriveTokens, issueTokens } from "./issue-tokens";
import { queueSecurityNotice } from "./security-notices";
import { isSessionActive } from "./session-state";
import { readRefreshToken } from "./tokens";

/**
 * C07. Replaces the newest refresh token with its successor. For `refreshGraceMs` the previous
 * token returns the same successor, because a response may get lost and loaders refresh in
 * parallel. An older token was stolen or replayed and ends the session (RFC 9700, 4.14.2).
 * @throws refresh_invalid, user_blocked
 */
export async function refreshSession(ctx: ExchangeContext, refreshToken: string): Promise<Tokens> {
  const token = readRefreshToken(ctx.config.secret, refreshToken);
  if (!token) throw new ExchangeError("refresh_invalid");
  const outcome = await ctx.db.transaction(async (tx) => {
    const [session] = await tx.select().from(sessions).where(eq(sessions.id, token.sessionId)).for("update");
    const now = await ctx.clock.now(tx);
    if (!session || !isSessionActive(ctx, session, now) || token.generation > session.generation)
      return "refresh_invalid";
    const [account] = await tx.select().from(accounts).where(eq(accounts.id, session.accountId));
    if (account?.deletedAt) return "refresh_invalid";
    if (!account || account.blockedAt) return "user_blocked";

    if (token.generation === session.generation) {
      const generation = session.generation + 1;
      await tx.update(sessions).set({ generation, rotatedAt: now, lastUsedAt: now }).where(eq(sessions.id, session.id));
      return issueTokens(tx, ctx, { sessionId: session.id, generation, now });
    }
    const sinceRotation = now.getTime() - session.rotatedAt.getTime();
    if (token.generation === session.generation - 1 && sinceRotation <= ctx.config.refreshGraceMs) {
      return deriveTokens(ctx, session.id, session.generation);
    }
    await revokeSessions(tx, session.accountId, { which: eq(sessions.id, session.id), now });
    await queueSecurityNotice(tx, ctx, account, { mail: sessionEndedMail(account.email, now), now });
    ctx.log.warn({ sessionId: session.id }, "an old refresh token was used again; ended its session");
    return "refresh_invalid";
  });
  if (typeof outcome === "string") throw new ExchangeError(outcome);
  return outcome;
}
