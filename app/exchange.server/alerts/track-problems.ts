import type { AssetSymbol } from "../../lib/assets";
import { minuteMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";
import { perContext } from "../per-context";

/** How long a problem may last before an operator is alerted. Most are shorter. */
const alertAfterMs = 10 * minuteMs;

/**
 * Tracks how long an asset has had a problem, as far as this process knows. Occurrences that are far apart do not count
 * together: another process may have had none in between.
 */
export function trackProblems() {
  const seen = perContext(() => new Map<AssetSymbol, { since: Date; last: Date }>());
  return {
    /** Notes that there is a problem. @returns whether it has lasted so long that an operator is alerted */
    note(ctx: ExchangeContext, asset: AssetSymbol, at: Date): boolean {
      const before = seen(ctx).get(asset);
      const isSame = before !== undefined && at.getTime() - before.last.getTime() < alertAfterMs;
      const since = isSame ? before.since : at;
      seen(ctx).set(asset, { since, last: at });
      return at.getTime() - since.getTime() >= alertAfterMs;
    },
    end(ctx: ExchangeContext, asset: AssetSymbol): void {
      seen(ctx).delete(asset);
    },
  };
}
