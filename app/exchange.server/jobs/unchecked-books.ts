import { clearAlert, raiseAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";

/** How long the check of the books may fail before an operator is alerted. */
const alertAfterMs = 300_000;

const subject = "books:unchecked";

/**
 * Runs the check of the books. If it fails for five minutes, an operator is alerted until it succeeds. Another process may
 * have run the check between two failures that are further apart.
 */
export function alertWhileUnchecked(ctx: ExchangeContext, check: () => Promise<void>): () => Promise<void> {
  let failing: { since: Date; last: Date } | null = null;
  return async () => {
    try {
      await check();
    } catch (error) {
      const at = await ctx.clock.now(ctx.db);
      const since: Date = failing && at.getTime() - failing.last.getTime() < alertAfterMs ? failing.since : at;
      failing = { since, last: at };
      if (at.getTime() - since.getTime() >= alertAfterMs) {
        const reason = `The books have not been checked since ${since.toISOString()}, because the check keeps failing. We keep trying.`;
        const action = 'Look for "check-books" in the log to see why it fails.';
        await raiseAlert(ctx.db, ctx, { subject, reason, action, at });
      }
      throw error;
    }
    failing = null;
    await clearAlert(ctx.db, subject);
  };
}
