import { minuteMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import { perContext } from "../per-context";

/**
 * Tracks how long something, such as an asset, has had a problem, as far as this process knows. An operator is alerted
 * after `alertAfterMs`, because most problems are shorter. Occurrences that are at least `alertAfterMs` apart count as
 * separate problems, because another process may have worked normally in between.
 */
export function trackProblems<Subject extends string>({ alertAfterMs = 10 * minuteMs } = {}) {
  const seen = perContext(() => new Map<Subject, { since: Date; last: Date }>());
  return {
    /** Records that there is a problem. @returns since when, if an operator has to be alerted, otherwise null */
    note(ctx: ExchangeContext, subject: Subject, at: Date): Date | null {
      const before = seen(ctx).get(subject);
      const isSame = before !== undefined && at.getTime() - before.last.getTime() < alertAfterMs;
      const since = isSame ? before.since : at;
      seen(ctx).set(subject, { since, last: at });
      return at.getTime() - since.getTime() >= alertAfterMs ? since : null;
    },
    end(ctx: ExchangeContext, subject: Subject): void {
      seen(ctx).delete(subject);
    },
  };
}
