import type { AssetSymbol } from "../../lib/assets";
import { minuteMs } from "../../lib/durations";
import type { ExchangeContext } from "../context";

/** How long a problem may last before an operator is alerted. Most are shorter. */
const alertAfterMs = 10 * minuteMs;

/** Follows since when an asset has had a problem, as far as this process knows. */
export function createProblemClock() {
  const starts = new WeakMap<ExchangeContext, Map<AssetSymbol, Date>>();
  return {
    /** Notes that there is a problem. @returns whether it has lasted so long that an operator is alerted */
    isLasting(ctx: ExchangeContext, asset: AssetSymbol, at: Date): boolean {
      const ofContext = starts.get(ctx) ?? new Map<AssetSymbol, Date>();
      starts.set(ctx, ofContext);
      const since = ofContext.get(asset) ?? at;
      ofContext.set(asset, since);
      return at.getTime() - since.getTime() >= alertAfterMs;
    },
    end(ctx: ExchangeContext, asset: AssetSymbol): void {
      starts.get(ctx)?.delete(asset);
    },
  };
}
