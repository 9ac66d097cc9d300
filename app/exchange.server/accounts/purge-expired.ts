import type { ExchangeContext } from "../context";
import { purgeLimitEvents } from "../limits/event-limits";
import { toCodeWindowMs } from "./code-budgets";
import { purgeEmailChallenges } from "./email-codes";
import { purgeKnownNetworks } from "./known-networks";
import { purgePasskeyChallenges } from "./passkey-challenges";
import { purgeOldSessions } from "./sessions";

/**
 * Part of the `purge-expired` job: deletes expired codes, challenges, tokens, sessions, rate-limit events and networks.
 * Safe to run at any time.
 */
export async function purgeExpired(ctx: ExchangeContext): Promise<void> {
  const now = await ctx.clock.now(ctx.db);
  await purgeEmailChallenges(ctx.db, now);
  await purgePasskeyChallenges(ctx.db, now);
  await purgeLimitEvents(ctx.db, toCodeWindowMs(ctx), now);
  await purgeKnownNetworks(ctx.db, now);
  await purgeOldSessions(ctx);
}
