import { minuteMs } from "../../lib/durations";
import { clearAlert, hasAlert, raiseAlert } from "../alerts/alerts";
import { trackProblems } from "../alerts/track-problems";
import type { ExchangeContext } from "../context";
import { type BookFault, checkBooks } from "../ledger/check-books";
import { createBookChecks } from "../ledger/check-recent-books";
import { switchOff } from "../switches/switches";

/** Failures of the check of the books. */
const failures = trackProblems<"books">({ alertAfterMs: 5 * minuteMs });

/** The job that checks the books. It stops payments if they do not balance. */
export function createBooksJob(ctx: ExchangeContext) {
  const findFaults = createBookChecks(ctx.db);
  return {
    name: "check-books",
    everyMs: 30_000,
    run: alertWhileUnchecked(ctx, () => stopOnBrokenBooks(ctx, findFaults)),
  };
}

/** Runs the check of the books. If it fails for five minutes, an operator is alerted until it succeeds. */
function alertWhileUnchecked(ctx: ExchangeContext, check: () => Promise<void>): () => Promise<void> {
  const subject = "books:unchecked";
  return async () => {
    try {
      await check();
    } catch (error) {
      const at = await ctx.clock.now(ctx.db);
      const since = failures.note(ctx, "books", at);
      if (since !== null) {
        const reason = `The books have not been checked since ${since.toISOString()}, because the check keeps failing. We keep trying.`;
        const action = 'Look for "check-books" in the log to see why it fails.';
        await raiseAlert(ctx.db, ctx, { subject, reason, action, at });
      }
      throw error;
    }
    failures.end(ctx, "books");
    await clearAlert(ctx.db, subject);
  };
}

/** Stops payments and alerts an operator if the books do not balance. The alert ends when they do; the stop stays. */
async function stopOnBrokenBooks(ctx: ExchangeContext, findFaults: (now: Date) => Promise<BookFault[]>): Promise<void> {
  const { db } = ctx;
  const subject = "books";
  const at = await ctx.clock.now(db);
  // Another process may have found the fault, in orders that this process will not check again today.
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
