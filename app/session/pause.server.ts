import { toSwapsText } from "~/lib/pause-reasons";
import type { RequestScope } from "./scope.server";

/**
 * Why new swaps are paused, in words. Null while they are possible, if the exchange does not say, and without a price,
 * which the rates say themselves and which may be back any moment.
 */
export async function readPauseReason({ api }: Pick<RequestScope, "api">): Promise<string | null> {
  const status = await api.getRecentStatus().catch(() => null);
  if (status === null || status.accepting_swaps || status.reason === "rate_unknown") return null;
  return toSwapsText(status);
}
