import type { AssetSymbol } from "../../lib/assets";
import { minuteMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";

/** How long a problem may last before an operator is alerted. Most are shorter. */
const alertAfterMs = 10 * minuteMs;

/**
 * Tracks how long an asset has had a problem, as far as this process knows. Occurrences that are far apart do not count
 * together: another process may have had none in between.
 */
export function trackProblems() {
  const seen = new WeakMap<ExchangeContext, Map<AssetSymbol, { since: Date; last: Date }>>();
  return {
    /** Notes that there is a problem. @returns whether it has lasted so long that an operator is alerted */
    note(ctx: ExchangeContext, asset: AssetSymbol, at: Date): boolean {
      const ofContext = seen.get(ctx) ?? new Map<AssetSymbol, { since: Date; last: Date }>();
      seen.set(ctx, ofContext);
      const before = ofContext.get(asset);
      const isSame = before !== undefined && at.getTime() - before.last.getTime() < alertAfterMs;
      const since = isSame ? before.since : at;
      ofContext.set(asset, { since, last: at });
      return at.getTime() - since.getTime() >= alertAfterMs;
    },
    end(ctx: ExchangeContext, asset: AssetSymbol): void {
      seen.get(ctx)?.delete(asset);
    },
  };
}
