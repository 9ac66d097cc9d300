import type { ExchangeContext } from "../context";
import type { Market } from "./market";
import { isRecent } from "./rates";
import { getStopCode } from "./swap-acceptance";

/** The reason code of `/api/status` if anything stops new swaps, a missing rate included; else null. */
export function getClosedReason(ctx: ExchangeContext, market: Market, now: Date): string | null {
  const stopped = getStopCode(market, now);
  if (stopped !== null) return stopped;
  const { rate } = market;
  return rate !== null && isRecent(ctx, rate, now) ? null : "rate_unknown";
}
