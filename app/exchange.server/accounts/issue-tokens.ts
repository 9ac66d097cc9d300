import type { Tokens } from "../../api/contract";
import { addMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { accessTokens } from "../db/schema/accounts";
import { deriveAccessToken, deriveRefreshToken, hashAccessToken } from "./tokens";

/** Issues the tokens of a generation, and stores the hash of the access token. */
export async function issueTokens(
  tx: Database,
  ctx: ExchangeContext,
  { sessionId, generation, now }: { sessionId: string; generation: number; now: Date },
): Promise<Tokens> {
  const tokens = deriveTokens(ctx, sessionId, generation);
  await tx.insert(accessTokens).values({
    hash: hashAccessToken(tokens.access_token),
    sessionId,
    expiresAt: addMs(now, ctx.config.accessTokenTtlMs),
  });
  return tokens;
}

/** The tokens of a generation, which may have been issued before. */
export function deriveTokens(ctx: ExchangeContext, sessionId: string, generation: number): Tokens {
  const { secret } = ctx.config;
  return {
    access_token: deriveAccessToken(secret, sessionId, generation),
    refresh_token: deriveRefreshToken(secret, sessionId, generation),
  };
}
