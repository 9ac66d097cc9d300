import type { ApiClient } from "../api/client";
import { toSwapsText } from "../lib/pause-reasons";

type Source = { api: Pick<ApiClient, "getRecentStatus"> };

/**
 * Why new swaps are paused, in words. Null while they are possible, if the exchange does not say, or if only the price
 * is missing: the rates show that already, and there may be a price again at any moment.
 */
export async function readPauseReason({ api }: Source): Promise<string | null> {
  const status = await api.getRecentStatus().catch(() => null);
  if (status === null || status.accepting_swaps || status.reason === "rate_unknown") return null;
  return toSwapsText(status);
}
