import { orNullIfUnavailable } from "~/api/errors";
import { readPauseReason } from "~/exchange-binding/pause-reason.server";
import { type Calculation, readCalculatedPath } from "~/lib/calculation";
import { readLocale } from "~/lib/read-locale.server";
import { toSparkline } from "~/lib/sparkline";
import { markIncomplete } from "~/session/responses.server";
import { getScope, type ScopeArgs } from "~/session/scope.server";

/**
 * The price calculator for a signed-out visitor, with the amount in `redirect`. Null if `redirect` doesn't lead to a
 * swap, or if the exchange doesn't respond: signing in must work without prices.
 */
export async function loadPrice(args: ScopeArgs, redirect: string | null) {
  const scope = await getScope(args);
  const calculation: Calculation | null = readCalculatedPath(redirect, readLocale(args.request.headers).numbers);
  if (!calculation || scope.isSignedIn || scope.getChallenge("email")) return null;
  const [found, pauseReason] = await Promise.all([
    orNullIfUnavailable(scope.api.getRates("24h")),
    readPauseReason(scope),
  ]);
  if (found === null) {
    markIncomplete(args);
    return null;
  }
  const { history, ...rates } = found;
  return { calculation, rates, pauseReason, chart: toSparkline(history) };
}
