import type { ExchangeContext } from "../context";
import type { SessionRow } from "../db/schema/accounts";

/** Whether a session still works: it has neither been ended nor expired. */
export function isSessionActive(
  ctx: ExchangeContext,
  session: Pick<SessionRow, "createdAt" | "lastUsedAt" | "revokedAt">,
  now: Date,
): boolean {
  return session.revokedAt === null && !isSessionExpired(ctx, session, now);
}

/** Whether a session was unused for too long, or began too long ago. */
export function isSessionExpired(
  ctx: ExchangeContext,
  { createdAt, lastUsedAt }: Pick<SessionRow, "createdAt" | "lastUsedAt">,
  now: Date,
): boolean {
  const isIdle = lastUsedAt.getTime() + ctx.config.sessionIdleMs <= now.getTime();
  return isIdle || createdAt.getTime() + ctx.config.sessionAbsoluteMs <= now.getTime();
}
