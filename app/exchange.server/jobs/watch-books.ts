import { clearAlert, hasAlert, raiseAlert } from "../alerts/alerts";
import type { ExchangeContext } from "../context";
import { type BookFault, checkBooks } from "../ledger/check-books";
import { createBookChecks } from "../ledger/check-recent-books";
import { switchOff } from "../switches/switches";

/** How long the check of the books may fail before an operator is alerted. */
const alertAfterMs = 300_000;

/** The job that checks the books. It halts payments if they do not balance. */
export function createBooksJob(ctx: ExchangeContext) {
  const findFaults = createBookChecks(ctx.db);
  return {
    name: "check-books",
    everyMs: 30_000,
    run: alertWhileUnchecked(ctx, () => haltOnBrokenBooks(ctx, findFaults)),
  };
}

/**
 * Runs the check of the books. If it fails for five minutes, an operator is alerted until it succeeds. Failures that are
 * far apart do not count together, because another process may have run the check in between.
 */
function alertWhileUnchecked(ctx: ExchangeContext, check: () => Promise<void>): () => Promise<void> {
  const subject = "books:unchecked";
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

/** Halts payments and alerts an operator if the books do not balance. The alert ends when they do, the halt does not. */
async function haltOnBrokenBooks(ctx: ExchangeContext, findFaults: (now: Date) => Promise<BookFault[]>): Promise<void> {
  const { db } = ctx;
  const subject = "books";
  const at = await ctx.clock.now(db);
  // Another process may have found the fault where this one would not look again today.
  const isKnown = await hasAlert(db, subject);
  const [fault] = isKnown ? await checkBooks(db) : await findFaults(at);
  if (fault === undefined) return isKnown ? clearAlert(db, subject) : undefined;
  const reason = `The books do not balance: ${fault}`;
  const action = 'Run "operate books", and do not switch payments back on until it finds no faults.';
  await db.transaction(async (tx) => {
    await switchOff(tx, "payments", { cause: subject, reason, at });
    await raiseAlert(tx, ctx, { subject, reason, action, at });
  });
}
